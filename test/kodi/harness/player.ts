/** What Kodi's player is doing, and the person's hand on it. */
export class Player {
  private readonly rpc: (method: string, params?: unknown) => Promise<unknown>;

  constructor(rpc: (method: string, params?: unknown) => Promise<unknown>) {
    this.rpc = rpc;
  }

  /** Seconds into what plays; undefined while nothing does. */
  async position(): Promise<number | undefined> {
    return this.clock('time');
  }

  /** Length of what plays in seconds; 0 while Kodi does not know it, undefined while nothing plays. */
  async duration(): Promise<number | undefined> {
    return this.clock('totaltime');
  }

  /** Kodi seeks on its own time: look at `position` for the effect. */
  async seek(seconds: number): Promise<void> {
    const whole = Math.floor(seconds);
    const time = {
      hours: Math.floor(whole / 3600),
      minutes: Math.floor(whole / 60) % 60,
      seconds: whole % 60,
      milliseconds: Math.round((seconds - whole) * 1000),
    };
    await this.rpc('Player.Seek', { playerid: await this.active(), value: { time } });
  }

  async stop(): Promise<void> {
    await this.rpc('Player.Stop', { playerid: await this.active() });
  }

  private async clock(property: 'time' | 'totaltime'): Promise<number | undefined> {
    const playerid = await this.active();
    if (playerid === undefined) return undefined;
    // The player may end between the two calls.
    const answer = await this.rpc('Player.GetProperties', { playerid, properties: [property] }).catch(
      () => ({}),
    );
    const time = (answer as Partial<Record<typeof property, Clock>>)[property];
    return time && time.hours * 3600 + time.minutes * 60 + time.seconds + time.milliseconds / 1000;
  }

  /** Usually 1, the video player; what Kodi takes for a playlist may turn up as 0. */
  private async active(): Promise<number | undefined> {
    const players = (await this.rpc('Player.GetActivePlayers')) as { playerid: number }[];
    return players[0]?.playerid;
  }
}

interface Clock {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
}
