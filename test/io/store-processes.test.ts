import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { openDocument } from '../../src/io/store.ts';

const text = (value: unknown) => {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
};

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that has the store, and `film`, a document in `data`. */
async function program(folder: string, data: string, body: string): Promise<string> {
  const outfile = join(folder, `program-${(await readdir(folder)).length}.mjs`);
  const contents = `
    import { openDocument } from './src/io/store.ts';
    const parse = (value) => { if (typeof value !== 'string') throw new TypeError('not a text'); return value; };
    const film = openDocument(${JSON.stringify(data)}, 'film', { version: 1, parse });
    ${body}`;
  await build({
    stdin: { contents, resolveDir: new URL('../..', import.meta.url).pathname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

function start(script: string): ChildProcess {
  const child = fork(script);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

const messageOf = (child: ChildProcess) => new Promise((resolve) => child.once('message', resolve));

test('two processes that read while a third one writes see whole documents only', async () => {
  const folder = await newFolder();
  const data = join(folder, 'data');
  await openDocument(data, 'film', { version: 1, parse: text }).write('first');
  // Each value is one digit many times over; a torn one would be no JSON, or of two digits, or short.
  const readers = await program(
    folder,
    data,
    `const seen = { reads: 0, broken: 0, values: [] };
     process.once('message', () => { process.send(seen); process.disconnect(); });
     process.send('ready');
     while (process.connected) {
       const value = await film.read();
       seen.reads++;
       const whole = value === 'first' || (value?.length === 300_000 && new Set(value).size === 1);
       if (!whole) seen.broken++;
       else if (!seen.values.includes(value[0])) seen.values.push(value[0]);
       await new Promise(setImmediate);
     }`,
  );
  const writer = await program(
    folder,
    data,
    `for (let i = 0; i < 100; i++) await film.write(String(i % 10).repeat(300_000));
     process.send('done'); process.disconnect();`,
  );
  const children = [start(readers), start(readers)];
  await Promise.all(children.map(messageOf));
  await messageOf(start(writer));
  for (const child of children) {
    const answer = messageOf(child);
    child.send('enough');
    const seen = (await answer) as { reads: number; broken: number; values: string[] };
    expect(seen.broken).toBe(0);
    // It has read while the other wrote, not only before and after.
    expect(seen.values.length).toBeGreaterThan(2);
  }
  expect(await readdir(data)).toEqual(['film.json']);
});

test('a disk that takes only the beginning of a document keeps the one before, and what was begun is gone', async () => {
  const folder = await newFolder();
  const data = join(folder, 'data');
  const before = openDocument(data, 'film', { version: 1, parse: text });
  await before.write('Sintel');
  const script = await program(
    folder,
    data,
    `const outcome = await film.write('x'.repeat(300_000)).catch((error) => error);
     console.log(JSON.stringify({ code: outcome?.code, cause: outcome?.cause?.code, value: await film.read() }));`,
  );
  // A limit of 64 KiB for each file stands in for a full disk: the first bytes are taken, the others refused.
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 128; exec "$0" "$1"', process.execPath, script],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ code: 'STORE_FAILED', cause: 'EFBIG', value: 'Sintel' });
  expect(await before.read()).toBe('Sintel');
  expect(await readdir(data)).toEqual(['film.json']);
});
