/** Milliseconds between two computations of the shares; in between each goes on at its own. */
const STEP = 1;
/** Round trips until a connection that was dropped can take a command again: TCP, TLS, login. */
const REOPENING = 3;
/** The most that a server decodes, in bytes per millisecond, however fast its line is. */
const DECODING = 50_000;

export interface LineOptions {
  /** Connections to the provider, shared by all GETs. */
  readonly connections: number;
  /** Milliseconds from a command to its first byte. */
  readonly roundTrip: number;
  /** Mbit/s of the line; Infinity: only the server's own work bounds it. */
  readonly megabits: number;
}

/** The BODY of one article. */
export interface BodyCommand {
  /** As they travel, encoded. */
  readonly bytes: number;
  /** Milliseconds from its sending after which, without a first byte, the connection is dropped. */
  readonly patience: number;
  /** So many bytes of it have come. */
  came(bytes: number): void;
  /** It is whole, or its connection was dropped. */
  ended(how: 'whole' | 'dropped'): void;
}

interface Sent {
  readonly command: BodyCommand;
  readonly at: number;
  left: number;
}

/** One connection: it answers one command after another, each a round trip after the one before has ended. */
class Connection {
  readonly #roundTrip: number;
  #waiting: Sent[] = [];
  /** When the first byte for the command in front comes. */
  #answersAt = 0;
  #opensAt = 0;

  constructor(roundTrip: number) {
    this.#roundTrip = roundTrip;
  }

  get length(): number {
    return this.#waiting.length;
  }

  isSending(now: number): boolean {
    return this.#waiting.length > 0 && this.#answersAt <= now;
  }

  send(command: BodyCommand, now: number): void {
    this.#waiting.push({ command, at: now, left: command.bytes });
    if (this.#waiting.length === 1) this.#answersAt = Math.max(now, this.#opensAt) + this.#roundTrip;
  }

  /** Takes bytes for the command in front; gives how many it had need of. */
  receive(bytes: number, now: number): number {
    const [front] = this.#waiting;
    if (front === undefined) return 0;
    const taken = Math.min(bytes, front.left);
    front.left -= taken;
    front.command.came(taken);
    if (front.left > 0) return taken;
    this.#waiting.shift();
    this.#answersAt = now + this.#roundTrip;
    front.command.ended('whole');
    return taken;
  }

  /** Whether a command has waited too long for its first byte. */
  isOverdue(now: number): boolean {
    const isAnswered = this.isSending(now);
    return this.#waiting.some(
      ({ at, command }, place) => (place > 0 || !isAnswered) && now - at > command.patience,
    );
  }

  /** Drops everything that was sent, and is open again after a while. */
  drop(now: number): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#opensAt = now + REOPENING * this.#roundTrip;
    for (const { command } of dropped) command.ended('dropped');
  }

  /** Takes back what has had no byte; a command that is being answered takes the connection with it. */
  withdraw(commands: ReadonlySet<BodyCommand>, now: number): void {
    const [front] = this.#waiting;
    const isWithdrawn = (sent: Sent) => sent !== front && commands.has(sent.command);
    const withdrawn = this.#waiting.filter(isWithdrawn);
    this.#waiting = this.#waiting.filter((sent) => !isWithdrawn(sent));
    for (const { command } of withdrawn) command.ended('dropped');
    if (front !== undefined && commands.has(front.command)) this.drop(now);
  }
}

/** A server's connections to its usenet provider over one line, of which each that receives has an equal share. */
export class ProviderLine {
  readonly #connections: readonly Connection[];
  readonly #bytesPerStep: number;
  #now = 0;

  constructor({ connections, roundTrip, megabits }: LineOptions) {
    this.#connections = Array.from({ length: connections }, () => new Connection(roundTrip));
    this.#bytesPerStep = Math.min(DECODING, (megabits * 1e6) / 8 / 1000) * STEP;
  }

  /** Milliseconds since its beginning. */
  get now(): number {
    return this.#now;
  }

  get isIdle(): boolean {
    return this.#connections.every(({ length }) => length === 0);
  }

  get connections(): number {
    return this.#connections.length;
  }

  get hasFree(): boolean {
    return this.#connections.some(({ length }) => length === 0);
  }

  /** Sends commands one behind the other on the connection that has the fewest: on a free one, where there is one. */
  send(...commands: readonly BodyCommand[]): void {
    const lengths = this.#connections.map(({ length }) => length);
    const shortest = this.#connections[lengths.indexOf(Math.min(...lengths))];
    for (const command of commands) shortest?.send(command, this.#now);
  }

  withdraw(commands: ReadonlySet<BodyCommand>): void {
    for (const connection of this.#connections) connection.withdraw(commands, this.#now);
  }

  /** Lets the time pass in which nothing happens. */
  sleepUntil(time: number): void {
    this.#now = Math.max(this.#now, time);
  }

  /** The next millisecond. */
  step(): void {
    this.#now += STEP;
    this.#share(this.#connections.filter((connection) => connection.isSending(this.#now)));
    for (const connection of this.#connections)
      if (connection.isOverdue(this.#now)) connection.drop(this.#now);
  }

  /** What one needs no more of its share goes to the others, so that the line is always full. */
  #share(receivers: readonly Connection[]): void {
    let bytes = this.#bytesPerStep;
    let hungry = receivers;
    for (let before = Infinity; hungry.length > 0 && hungry.length < before; ) {
      before = hungry.length;
      const share = bytes / hungry.length;
      hungry = hungry.filter((connection) => {
        const taken = connection.receive(share, this.#now);
        bytes -= taken;
        return taken === share;
      });
    }
  }
}
