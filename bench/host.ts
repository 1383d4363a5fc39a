import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox/index.ts';
import { type Kodi, startKodi } from '../test/kodi/harness/index.ts';
import { openRows, rowsAddon, selectRow } from '../test/kodi/rows.ts';
import { ensureRoot } from '../tools/debian-root/index.ts';
import { type Figure, median } from './figure.ts';

const ADDON = join(import.meta.dirname, '../dist/plugin.video.slipstream');
const PLAY = 'plugin://plugin.video.slipstream/play?type=movie&title=Sintel&year=2010&imdb=tt1727587';
const RUNS = 20;

/** Kodi's box about a failed playback, after a play of ours that came to nothing: how long it is on the screen. */
export const boxClosed: Figure = figure('host.box-closed', 100, async ({ kodi, sandbox }) => {
  sandbox.faults.search = 'empty';
  await openRows(kodi);
  return repeated(
    kodi,
    () => selectRow(kodi, PLAY),
    /Window Init \(DialogConfirm.xml\)/,
    /Window Deinit \(DialogConfirm.xml\)/,
  );
});

/** A second play's refusal, from before our first line of Python until Kodi has the answer. */
export const refusal: Figure = figure('host.refusal', 50, ({ kodi }) =>
  repeated(
    kodi,
    async () => {
      // As another play holds the playback lock. The clock is the one of Python's time.monotonic().
      await kodi.builtin(`SetProperty(slipstream.starting,other ${process.hrtime()[0] + 3},home)`);
      const held = async () => (await kodi.homeProperty('slipstream.starting')) || undefined;
      await kodi.until('the playback lock is held', held);
      await kodi.rpc('Player.Open', { item: { file: PLAY } });
    },
    /instantiating addon using .*"plugin.video.slipstream"/,
    // Kodi has the answer; or, where it had it before it came to wait, the call's end.
    /Thread ScriptObs \d+ terminating|script successfully run/,
  ),
);

interface Stage {
  readonly kodi: Kodi;
  readonly sandbox: Sandbox;
}

function figure(name: string, limit: number, measure: (stage: Stage) => Promise<readonly number[]>): Figure {
  return {
    name,
    unit: 'ms',
    target: `≤ ${limit}`,
    measure: async () => {
      const times = await inKodi(measure);
      const value = median(times);
      const note = `spread ${Math.min(...times)}–${Math.max(...times)} ms, n ${times.length}`;
      return { value, met: value <= limit, note };
    },
  };
}

/** A Kodi that shows its box after every failure of a row that was chosen in a list, and whose log has milliseconds. */
async function inKodi<T>(measure: (stage: Stage) => Promise<T>): Promise<T> {
  const root = await ensureRoot();
  if ('skip' in root) throw new Error(root.skip);
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-rows-'));
  const sandbox = await startSandbox();
  const kodi = await startKodi(root, {
    addons: [ADDON, await rowsAddon(folder, [PLAY])],
    addonSettings: { 'plugin.video.slipstream': sandbox.settings },
    advanced: '<playlistretries>1</playlistretries>',
    debug: true,
  });
  try {
    await kodi.until(
      'the service is up',
      async () => (await kodi.homeProperty('svc.proxy_port')) || undefined,
    );
    return await measure({ kodi, sandbox });
  } finally {
    await kodi.kill();
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

/** The milliseconds between two lines of Kodi's log, of RUNS runs, each of which begins when a play may. */
async function repeated(
  kodi: Kodi,
  start: () => Promise<void>,
  first: RegExp,
  second: RegExp,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await kodi.until('a play may begin', async () => (await mayPlay(kodi)) || undefined);
    const { length } = await kodi.log();
    await start();
    times.push(
      await kodi.until('it has come and gone', async () =>
        between((await kodi.log()).slice(length).split('\n'), first, second),
      ),
    );
  }
  return times;
}

async function mayPlay(kodi: Kodi): Promise<boolean> {
  const leases = ['slipstream.starting', 'slipstream.failure-box'].map((name) => kodi.homeProperty(name));
  // What the bench sets itself is not cleared, but runs out.
  return (await Promise.all(leases)).every((value) => !(Number(value.split(' ')[1]) > process.hrtime()[0]));
}

/** Milliseconds from the first line of a kind to the first of the other kind behind it. */
function between(lines: readonly string[], first: RegExp, second: RegExp): number | undefined {
  const from = lines.findIndex((line) => first.test(line));
  const to = lines.slice(from + 1).find((line) => second.test(line));
  return from < 0 || to === undefined ? undefined : writtenAt(to) - writtenAt(lines[from]!);
}

/** "2026-11-23 21:33:55.591 T:42 …", in milliseconds. */
const writtenAt = (line: string) => Date.parse(`${line.slice(0, 23).replace(' ', 'T')}Z`);
