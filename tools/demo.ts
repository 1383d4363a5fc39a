// npm run demo: the real engine in a terminal, against the sandbox, from a title to the last byte.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Sandbox, SINTEL, startSandbox } from '../sandbox/index.ts';
import { build } from './build/index.ts';
import { playLikeKodi } from './demo/play-like-kodi.ts';
import { resolveStages, type Stage } from './demo/stages.ts';
import { DIST } from './lib/paths.ts';

const { values: options } = parseArgs({
  options: { keep: { type: 'boolean', default: false }, pick: { type: 'boolean', default: false } },
});

await build();
const sandbox = await startSandbox();
const folder = await mkdtemp(join(tmpdir(), 'slipstream-demo-'));
const settings = join(folder, 'settings.json');
await writeFile(settings, JSON.stringify(sandbox.settings), { mode: 0o600 });

const started = Date.now();
const engine = spawn(
  process.execPath,
  [
    join(DIST, 'resources/engine/engine.cjs'),
    'play',
    SINTEL.title,
    ...[
      '--year',
      String(SINTEL.year),
      '--imdb',
      SINTEL.imdb,
      '--settings',
      settings,
      '--data',
      folder,
      '--pick',
    ],
  ],
  // Without a keyboard the terminal shows the list and takes its first row.
  { stdio: [options.pick ? 'inherit' : 'ignore', 'pipe', 'inherit'] },
);
const ended = new Promise<number>((resolve) =>
  engine.once('close', (status) => {
    resolve(status ?? 1);
  }),
);
const stop = () => engine.kill('SIGTERM');
process.on('SIGINT', stop);

try {
  const url = await firstLine();
  if (url === undefined) throw new Error('the engine ended without a URL');
  const handedOver = Date.now();
  console.log(url);
  await playAndCompare(url, resolveStages(sandbox.requests, started, handedOver));
  if (options.keep) {
    console.log('\nThe URL stays open; Ctrl-C ends.');
    await ended;
  }
} catch (error) {
  console.error(`demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  stop();
  await ended;
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
}

async function playAndCompare(url: string, resolving: readonly Stage[]): Promise<void> {
  const clip = playedClip(sandbox);
  const playing = await playLikeKodi(url, clip);
  console.log('');
  for (const { name, ms, detail } of [...resolving, ...playing]) {
    console.log(`${name.padEnd(22)} ${(ms / 1000).toFixed(3).padStart(8)} s  ${detail}`);
  }
  console.log(`\nEvery byte of ${clip.name} arrived as it is at the backend.`);
}

function playedClip({ jobs, clipsOf }: Sandbox) {
  const [clip] = clipsOf(jobs()[0]?.name ?? '');
  if (clip === undefined) throw new Error('the sandbox holds no such film');
  return clip;
}

function firstLine(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: engine.stdout });
    lines.once('line', resolve);
    lines.once('close', () => {
      resolve(undefined);
    });
  });
}
