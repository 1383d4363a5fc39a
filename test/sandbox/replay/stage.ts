import { describe, expect, it, onTestFinished } from 'vitest';
import { type ReplayLab, type ReplayOptions, startReplay } from './lab.ts';
import { type Exchange, recording } from './transcript.ts';

/** A sandbox in a certain state, and what was asked of the real server in that state. */
export interface Stage<Lab = ReplayLab, Options = ReplayOptions> {
  readonly name: string;
  readonly options?: Options;
  /** Names of exchanges, which are replayed in this order, and what happens between them. */
  readonly steps: readonly (string | ((lab: Lab) => unknown))[];
}

/** What the sandbox cannot give, by the beginning of the exchange's name, and why. */
export type NotGiven = Readonly<Record<string, string>>;

/** Replays every exchange of a recording that the sandbox can give, and knows of each other why it cannot. */
export function heldTo(server: 'nzbdav' | 'infinidysk', stages: readonly Stage[], notGiven: NotGiven): void {
  held({ server, exchanges: recording(server), start: startReplay }, stages, notGiven);
}

/** What is compared with what. */
interface Held<Lab, Options, Asked> {
  readonly server: string;
  /** By names that begin with the server's. */
  readonly exchanges: ReadonlyMap<string, Asked>;
  readonly start: (options: Options | undefined) => Promise<Lab>;
}

interface Replayer<Asked> {
  replay(exchange: Asked): Promise<void>;
  close(): Promise<void>;
}

/** As {@link heldTo}, for a lab of another kind. */
export function held<Lab extends Replayer<Asked>, Options, Asked = Exchange>(
  { server, exchanges, start }: Held<Lab, Options, Asked>,
  stages: readonly Stage<Lab, Options>[],
  notGiven: NotGiven,
): void {
  const exchangeOf = (name: string) => {
    const exchange = exchanges.get(`${server}/${name}`);
    if (exchange === undefined) throw new Error(`Nothing of the name ${name} was recorded.`);
    return exchange;
  };
  describe(`the sandbox as ${server} was recorded`, () => {
    const cases = stages.map((stage) => [stage.name, stage] as const);
    it.each(cases)(
      '%s',
      async (_name, { options, steps }) => {
        const lab = await start(options);
        onTestFinished(() => lab.close());
        for (const step of steps) {
          if (typeof step === 'string') await lab.replay(exchangeOf(step));
          else await step(lab);
        }
      },
      60_000,
    );

    it('is held to every exchange, or says why it cannot be', () => {
      const replayed = stages.flatMap(({ steps }) => steps.filter((step) => typeof step === 'string'));
      const listed = [...exchanges.keys()].filter((name) =>
        Object.keys(notGiven).some((start) => name.startsWith(`${server}/${start}`)),
      );
      const known = [...replayed.map((name) => `${server}/${name}`), ...listed];
      expect(known.toSorted()).toEqual([...exchanges.keys()].toSorted());
    });
  });
}
