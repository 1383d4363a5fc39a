// npm run demo: the real engine in a terminal, against the sandbox, from a title to the last byte.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOGUE, monotonicTime, type Sandbox, SINTEL, startSandbox } from '../sandbox/index.ts';
import { build } from './build/index.ts';
import { startEngine } from './demo/engine.ts';
import { playDamaged, playLikeKodi } from './demo/play-like-kodi.ts';
import { progressLine } from './demo/progress-line.ts';
import { resolveStages, type Stage } from './demo/stages.ts';
import { parseOptions } from './lib/options.ts';

const FAILED = 1;
/** What a shell calls a program that Ctrl-C ended; the engine's status for "cancelled", too. */
const CANCELLED = 130;

const options = parseOptions('npm run demo -- [--pick] [--keep] [--node <binary>]', {
  node: { type: 'string', default: process.execPath },
  keep: { type: 'boolean', default: false },
  pick: { type: 'boolean', default: false },
});

const stopping = new AbortController();
// As often as they like: the terminal, npm and an impatient person may each send one.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    stopping.abort();
  });
}
process.exitCode = await demo(stopping.signal).catch((error: unknown) => {
  // Whatever breaks while everything is being ended is no news.
  if (stopping.signal.aborted) return CANCELLED;
  console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
  return FAILED;
});

/** Gives the exit status. */
async function demo(signal: AbortSignal): Promise<number> {
  await build();
  const sandbox = await startSandbox();
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-demo-'));
  try {
    signal.throwIfAborted();
    return await play(sandbox, folder, signal);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(sandbox: Sandbox, folder: string, signal: AbortSignal): Promise<number> {
  const settings = join(folder, 'settings.json');
  await writeFile(settings, JSON.stringify(sandbox.settings), { mode: 0o600 });
  const started = monotonicTime();
  const film = [SINTEL.title, '--year', String(SINTEL.year), '--imdb', SINTEL.imdb];
  const engine = startEngine([...film, '--settings', settings, '--data', folder, '--pick'], {
    keyboard: options.pick,
    node: options.node,
  });
  signal.addEventListener('abort', engine.stop);
  try {
    const url = await engine.url;
    signal.throwIfAborted();
    // The engine has said why.
    if (url === undefined) return await engine.ended;
    const handedOver = monotonicTime();
    console.log(url);
    await playAndCompare(sandbox, url, resolveStages(sandbox.requests, started, handedOver), signal);
    if (options.keep) {
      console.log('\nThe URL stays open; Ctrl-C ends.');
      await engine.ended;
    }
    return 0;
  } finally {
    engine.stop();
    await engine.ended;
  }
}

async function playAndCompare(
  sandbox: Sandbox,
  url: string,
  resolving: readonly Stage[],
  signal: AbortSignal,
): Promise<void> {
  const clip = playedClip(sandbox);
  const line = progressLine('Reading it as Kodi does, comparing every byte');
  const reading = { url, clip, signal, progress: line.show };
  try {
    if (isDamaged(clip.name)) {
      const { stage, at } = await playDamaged(reading);
      line.end();
      printTable([...resolving, stage]);
      console.log(`
${clip.name} is damaged on purpose.
At byte ${at} the proxy broke the connection off, rather than serve a wrong byte
or feign the end of the film. Every byte before arrived as it is at the backend.`);
    } else {
      const playing = await playLikeKodi(reading);
      line.end();
      printTable([...resolving, ...playing]);
      console.log(`\nEvery byte of ${clip.name} arrived as it is at the backend.`);
    }
  } finally {
    line.end();
  }
}

function printTable(stages: readonly Stage[]): void {
  console.log('');
  for (const { name, ms, detail } of stages) {
    console.log(`${name.padEnd(22)} ${(ms / 1000).toFixed(3).padStart(8)} s  ${detail}`);
  }
}

function isDamaged(fileName: string): boolean {
  return CATALOGUE.some(
    ({ health, videos }) => health === 'damaged' && videos.some(({ path }) => path === fileName),
  );
}

function playedClip({ jobs, clipsOf }: Sandbox) {
  const [clip] = clipsOf(jobs()[0]?.name ?? '');
  if (clip === undefined) throw new Error('the sandbox holds no such film');
  return clip;
}
