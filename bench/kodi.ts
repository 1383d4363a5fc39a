import { join } from 'node:path';
import { monotonicTime, startSandbox } from '../sandbox/index.ts';
import { startKodi } from '../test/kodi/harness/index.ts';
import { ensureRoot, type Root } from '../tools/debian-root/index.ts';
import { type Figure, median } from './figure.ts';

const RUNS = 5;
const ADDON = join(import.meta.dirname, '../dist/plugin.video.slipstream');
const PLAY = 'plugin://plugin.video.slipstream/play?type=movie&title=Sintel&year=2010&imdb=tt1727587';

const QUITS = 3;
const QUIT_LIMIT_S = 5;

/** Kodi's quit in the middle of a download of ours, from the call to the end of its process. */
export const quitDuringDownload: Figure = {
  name: 'kodi.quit-during-download',
  unit: 's',
  target: `< ${QUIT_LIMIT_S}, each`,
  measure: async () => {
    const root = await ensureRoot();
    if ('skip' in root) throw new Error(root.skip);
    const times: number[] = [];
    for (let run = 0; run < QUITS; run++) times.push(await quitOnce(root));
    const worst = Math.max(...times);
    return {
      value: median(times),
      met: worst < QUIT_LIMIT_S,
      note: `slowest ${worst.toFixed(2)} s, n ${QUITS}`,
    };
  },
};

async function quitOnce(root: Root): Promise<number> {
  const sandbox = await startSandbox();
  sandbox.faults.job = { kind: 'stuck', percent: 40 };
  const addonSettings = { 'plugin.video.slipstream': { ...sandbox.settings, auto_select: 'true' } };
  const kodi = await startKodi(root, { addons: [ADDON], addonSettings });
  try {
    await kodi.until(
      'the service is up',
      async () => (await kodi.homeProperty('svc.proxy_port')) || undefined,
    );
    await kodi.rpc('Player.Open', { item: { file: PLAY } });
    await kodi.until('it downloads', () => Promise.resolve(sandbox.queueLength() > 0 || undefined));
    return (await kodi.stop()).seconds;
  } finally {
    await kodi.kill();
    await sandbox.close();
  }
}

/** From Kodi's Player.Open to the first request at the indexer, with Python, the engine's start and all. */
export const firstRequestInKodi: Figure = {
  name: 'plugin.first-request-in-kodi',
  unit: 'ms',
  target: 'recorded',
  measure: async () => {
    const root = await ensureRoot();
    if ('skip' in root) throw new Error(root.skip);
    const sandbox = await startSandbox();
    sandbox.faults.search = 'empty';
    const kodi = await startKodi(root, {
      addons: [ADDON],
      addonSettings: { 'plugin.video.slipstream': sandbox.settings },
    });
    try {
      await kodi.until(
        'the service is up',
        async () => (await kodi.homeProperty('svc.proxy_port')) || undefined,
      );
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const from = sandbox.requests.length;
        const opened = monotonicTime();
        await kodi.rpc('Player.Open', { item: { file: PLAY } });
        const first = () => Promise.resolve(sandbox.requests[from]?.at);
        times.push((await kodi.until('the first request', first)) - opened);
        const idle = async () => (await kodi.homeProperty('slipstream.starting')) === '' || undefined;
        await kodi.until('the play has ended', idle);
      }
      return {
        value: median(times),
        met: true,
        note: `spread ${Math.min(...times)}–${Math.max(...times)} ms, n ${RUNS}`,
      };
    } finally {
      await kodi.kill();
      await sandbox.close();
    }
  },
};
