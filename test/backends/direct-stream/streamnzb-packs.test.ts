import { expect, test } from 'vitest';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import { parseSubject } from '../../../src/backends/nzb/subject.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { postedFile, type WrittenFile } from '../../support/nzb.ts';
import { contentOf, EPISODE, FILM, streamable } from '../nzb/lab.ts';
import { CALM } from './lab.ts';

const PACK = 'Cured.Tower.S01.1080p.WEB.h264-OAKC';
const TOWER: MediaRequest = { ...EPISODE, title: 'Cured Tower' };

/** The subjects' names in what StreamNZB is handed of such a post, or the failure's code and words. */
async function handed(files: readonly WrittenFile[], { name = PACK, request = TOWER } = {}) {
  let form = Buffer.alloc(0);
  const url = await serve((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      form = Buffer.concat(chunks);
      response.end(JSON.stringify({ play_path: '/token/play/direct-1' }));
    });
  });
  const config = { kind: 'streamnzb', url, apiKey: 'k', via: 'proxy' } as const;
  const backend = directStreamBackend(config, memoryLog(), CALM);
  const nzb = await streamable([files], { request, name });
  if ('lacking' in nzb) throw new Error('it lacks nothing');
  try {
    await backend.submit(nzb, 'Cured.Tower-0a1b', request, new AbortController().signal);
  } catch (error) {
    return String(error);
  }
  const document = form.subarray(form.indexOf('<?xml'), form.indexOf('</nzb>') + '</nzb>\n'.length);
  const content = await contentOf(document);
  expect(content.metas).toEqual(nzb.content.metas);
  const segments = new Map(nzb.content.files.map((file) => [file.subject, file.segments]));
  for (const file of content.files) expect(file.segments).toEqual(segments.get(file.subject));
  return content.files.map(({ subject }) => parseSubject(subject).name);
}

const files = (...names: string[]) => names.map((name) => postedFile(name, 20));

test('of a pack StreamNZB is handed the wanted episode alone', async () => {
  const names = [
    'tower.s01e01.mkv',
    'tower & <s01e02>.mkv',
    'tower.s01e03.mkv',
    'tower.nfo',
    'b6f1c2d49e0a4c',
  ];
  expect(await handed(files(...names))).toEqual(['tower & <s01e02>.mkv']);
});

test('in all of its volumes', async () => {
  const volumes = ['e01', 'e02'].flatMap((each) =>
    [1, 2, 3].map((part) => `tower.s01${each}.part${part}.rar`),
  );
  expect(await handed(files(...volumes))).toEqual(volumes.slice(3));
});

test.each([
  ['no name tells', ['b6f1c2d49e0a4c7f8a35.mkv', 'c7e2d3e50f1b5d8a9b46.mkv']],
  ['one archive holds all', ['tower.s01.part1.rar', 'tower.s01.part2.rar', 'tower.s01.part3.rar']],
])('a pack of which %s is refused, and says why', async (_what, names) => {
  expect(await handed(files(...names))).toMatch(
    /^SlipstreamError: SUBMIT_REFUSED: StreamNZB cannot be told which episode of a pack to play/,
  );
});

test('a single episode and a film are handed over whole', async () => {
  const episode = ['tower.s01e02.mkv', 'tower.nfo'];
  expect(await handed(files(...episode), { name: 'Cured.Tower.S01E02.1080p.WEB.h264-OAKC' })).toEqual(
    episode,
  );
  const film = ['sintel.part1.rar', 'sintel.part2.rar', 'sintel.part3.rar', 'sintel.nfo'];
  const asFilm = { name: 'Sintel.2010.1080p.BluRay.x264-DURIAN', request: FILM };
  expect(await handed(files(...film), asFilm)).toEqual(film);
});
