import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Engine, startEngine } from '../support/engine.ts';

// The built engine, with files of translations that cannot be read: its log names the language that it was told.

let folder: string;
let engine: Engine | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipstream-language-'));
  const texts = join(folder, 'resources', 'engine', 'texts');
  await mkdir(texts, { recursive: true });
  for (const language of ['de_de', 'pl_pl']) await writeFile(join(texts, `${language}.json`), '{');
});
afterEach(async () => {
  engine?.child.kill('SIGKILL');
  await engine?.ended;
  engine = undefined;
  await rm(folder, { recursive: true });
});

const start = (command: 'plugin' | 'service') =>
  startEngine({
    command,
    start: {
      addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: folder },
      language: 'resource.language.de_de',
    },
  });

const readings = ({ stderr }: Engine) =>
  [...stderr.join('').matchAll(/translations into (\w+) cannot be read/g)].map(([, language]) => language);

test('a call reads the texts of the language that Kodi names at the start', async () => {
  const call = start('plugin');
  engine = call;
  await call.ended;
  expect(readings(call)).toEqual(['de_de']);
});

test('the service follows the language that a ping names, and reads each once', async () => {
  const service = start('service');
  engine = service;
  const ping = (language: string) => service.request('ping', { language: `resource.language.${language}` });
  // Before it has read what it was started for it answers no ping.
  await vi.waitFor(async () => {
    expect(await ping('de_de')).toBe('pong');
  });
  for (const language of ['de_de', 'de_de', 'pl_pl', 'pl_pl', 'en_gb'])
    expect(await ping(language)).toBe('pong');
  await vi.waitFor(() => {
    expect(readings(service)).toEqual(['de_de', 'pl_pl']);
  });
});
