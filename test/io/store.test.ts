import { fork } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listDocuments, openDocument } from '../../src/io/store.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const text = (value: unknown) => v.parse(v.string(), value);
const open = (folder: string, name = 'film', version = 1) =>
  openDocument(folder, name, { version, parse: text });
const UUID = '00000000-0000-4000-8000-000000000000';

describe('a document', () => {
  test('is read as it was written, by anybody who opens it, until it is removed', async () => {
    const folder = join(await newFolder(), 'made', 'on', 'demand');
    expect(await open(folder).read()).toBeUndefined();
    await open(folder).write('Sintel');
    await open(folder).write('Tears of Steel ☺');
    expect(await open(folder).read()).toBe('Tears of Steel ☺');
    await open(folder).remove();
    await open(folder).remove();
    expect(await open(folder).read()).toBeUndefined();
  });

  test('is for its owner only, and leaves no other file', async () => {
    const folder = join(await newFolder(), 'data');
    await open(folder).write('Sintel');
    expect((await stat(join(folder, 'film.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(['film.json']);
  });

  test.each([
    ['empty', ''],
    ['cut off', '{"version":1,"value":"Sin'],
    ['no JSON', 'Sintel'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[1,"Sintel"]'],
    ['of another shape', '{"version":1,"value":{"title":"Sintel"}}'],
    ['without a version', '{"value":"Sintel"}'],
    ['of an older version', '{"version":0,"value":"Sintel"}'],
    ['of a newer version', '{"version":2,"value":"Sintel"}'],
    ['of a version in another form', '{"version":"1","value":"Sintel"}'],
    ['too large', `{"version":1,"value":"${'x'.repeat(8 * 1024 * 1024)}"}`],
    ['nested beyond reason', '['.repeat(1_000_000)],
  ])('that is %s counts as absent, and can be written again', async (_, content) => {
    const folder = await newFolder();
    await writeFile(join(folder, 'film.json'), content);
    expect(await open(folder).read()).toBeUndefined();
    await open(folder).write('Sintel');
    expect(await open(folder).read()).toBe('Sintel');
  });

  test('that is no file counts as absent', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'film.json'));
    await symlink('/dev/zero', join(folder, 'endless.json'));
    expect(await open(folder).read()).toBeUndefined();
    expect(await open(folder, 'endless').read()).toBeUndefined();
  });

  test.each(['', '..', '../film', 'a/b', 'a.b', 'x'.repeat(101), 'a\n', 'ä'])(
    'cannot be called %j',
    async (name) => {
      const folder = await newFolder();
      expect(() => open(folder, name)).toThrow(TypeError);
    },
  );

  test('takes any value that is JSON', async () => {
    const folder = await newFolder();
    const document = openDocument(folder, 'any', { version: 1, parse: (value) => value });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        await document.write(value);
        expect(await document.read()).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 20 },
    );
  });
});

describe('writing', () => {
  test('that fails tells with words, keeps the value before, and leaves nothing behind', async () => {
    const folder = await newFolder();
    const loop: Record<string, unknown> = {};
    const document = openDocument<unknown>(folder, 'film', { version: 1, parse: (value) => value });
    await document.write('Sintel');
    loop['self'] = loop;
    await expect(document.write(loop)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(await document.read()).toBe('Sintel');
    expect(await readdir(folder)).toEqual(['film.json']);
  });

  test('to a place that cannot be one tells with words', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'taken.json'));
    const failed = {
      code: 'STORE_FAILED',
      explanation: { what: 'Slipstream cannot write to its data folder.' },
    };
    await expect(open(join(folder, 'file')).write('Sintel')).rejects.toMatchObject(failed);
    await expect(open(folder, 'taken').write('Sintel')).rejects.toMatchObject(failed);
    await expect(open(folder, 'taken').remove()).rejects.toMatchObject(failed);
    await expect(open(join(folder, 'file')).remove()).rejects.toMatchObject(failed);
    expect(await open(join(folder, 'file')).read()).toBeUndefined();
  });

  test('to a folder that may not be written to tells with words', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o500);
    // Root may write anywhere but there.
    const closed = process.getuid?.() === 0 ? '/proc/self' : folder;
    await expect(open(closed).write('Sintel')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });

  test('at the same time: documents do not disturb each other, and one document is always whole', async () => {
    const folder = await newFolder();
    const values = Array.from({ length: 20 }, (_, i) => String(i).repeat(20_000));
    await Promise.all(
      values.flatMap((value, i) => [
        open(folder, `own-${i}`).write(value),
        open(folder, 'shared').write(value),
      ]),
    );
    expect(await Promise.all(values.map((_, i) => open(folder, `own-${i}`).read()))).toEqual(values);
    expect(values).toContain(await open(folder, 'shared').read());
    expect((await readdir(folder)).filter((file) => !file.endsWith('.json'))).toEqual([]);
  });

  test('by a process that is killed in the middle leaves the old value or the new one', async () => {
    const folder = await newFolder();
    const script = join(folder, 'writer.mjs');
    const store = new URL('../../src/io/store.ts', import.meta.url).href;
    await writeFile(
      script,
      `import { openDocument } from ${JSON.stringify(store)};
       const document = openDocument(${JSON.stringify(folder)}, 'film', { version: 1, parse: (value) => value });
       for (let i = 0; ; i++) { await document.write(String(i % 10).repeat(200_000)); process.send(i); }`,
    );
    for (let kills = 0; kills < 3; kills++) {
      const child = fork(script, { execArgv: ['--import', 'tsx'] });
      await new Promise((resolve) => child.once('message', resolve));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      expect(await open(folder).read()).toMatch(/^(\d)\1{199999}$/);
    }
  });

  test('sweeps what a killed writer left long ago, and nothing else', async () => {
    const folder = await newFolder();
    const old = new Date(Date.now() - 3_600_000);
    const files = [`gone.json.${UUID}.tmp`, 'somebody-elses.tmp', 'x.json'];
    for (const file of files) {
      await writeFile(join(folder, file), '{"ver');
      await utimes(join(folder, file), old, old);
    }
    await writeFile(join(folder, `under-way.json.${UUID}.tmp`), '{"ver');
    await open(folder).write('Sintel');
    expect((await readdir(folder)).sort()).toEqual([
      'film.json',
      'somebody-elses.tmp',
      `under-way.json.${UUID}.tmp`,
      'x.json',
    ]);
  });
});

test('listDocuments names documents only, and none where there is no folder', async () => {
  const folder = await newFolder();
  await open(folder, 'a').write('Sintel');
  for (const foreign of ['b.txt', 'c.d.json', `e.json.${UUID}.tmp`, '.json'])
    await writeFile(join(folder, foreign), '');
  expect(await listDocuments(folder)).toEqual(['a']);
  expect(await listDocuments(join(folder, 'nowhere'))).toEqual([]);
  expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('{"version":1,"value":"Sintel"}');
});
