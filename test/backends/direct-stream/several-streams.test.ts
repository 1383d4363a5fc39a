import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { mkvClip } from '../../../sandbox/index.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { EPISODE, FILM_RELEASE, nzbFor, PACK_RELEASE } from '../labs.ts';
import { CALM } from './lab.ts';

const MB = 1_000_000;
const JOB = 'Sintel.2010.1080p.BluRay.x264-DURIAN-0a1b2c3d';

interface Offered {
  readonly name: string;
  /** Undefined: it answers 500. */
  readonly size?: number;
}

/** AltMount with a finished job of these files; every request for a file is noted. */
async function altMountWith(files: readonly Offered[]) {
  const asked: string[] = [];
  const list = (base: string) => ({
    streams: files.map(({ name }) => {
      const path = encodeURIComponent(`/complete/stremio/${JOB}/${name}`);
      return { url: `${base}/api/files/stream?path=${path}&download_key=00`, title: name, name };
    }),
  });
  const send = (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '', 'http://x').searchParams.get('path') ?? '';
    const name = path.slice(path.lastIndexOf('/') + 1);
    const range = String(request.headers.range);
    asked.push(`${name} ${range}`);
    const size = files.find((each) => each.name === name)?.size;
    if (size === undefined) return response.writeHead(500).end('Failed to open file');
    const last = Number(/-(\d+)$/.exec(range)?.[1]);
    return response
      .writeHead(206, { 'content-type': 'video/x-matroska', 'content-range': `bytes 0-${last}/${size}` })
      .end(mkvClip({ name, seconds: 60, size }).read(0, last + 1));
  };
  const url: string = await serve((request, response) => {
    request.resume();
    if (request.method === 'POST') response.end(JSON.stringify(list(url)));
    else send(request, response);
  });
  const backend = directStreamBackend(
    { kind: 'altmount', url, apiKey: 'k', via: 'player' },
    memoryLog(),
    CALM,
  );
  const play = async (request: MediaRequest, nzb = nzbFor(FILM_RELEASE)) => {
    const { signal } = new AbortController();
    const job = await backend.submit(nzb, JOB, request, signal);
    const options = { signal, timeout: 2_000, onProgress: () => undefined };
    return await backend.locate(await backend.waitUntilReady(job, options), request, signal);
  };
  return { play, asked };
}

const film = (title: string): MediaRequest => ({ kind: 'movie', title, year: 2010, ids: {} });

test('the sample that has the name of the job is not played as the film', async () => {
  const files = [
    { name: `${JOB}.mkv`, size: 100 * MB },
    { name: 'Sintel.2010.1080p.BluRay.x264-DURIAN.mkv', size: 720 * MB },
  ];
  const { play, asked } = await altMountWith(files);
  const { file, files: told } = await play(film('Sintel'));
  expect(file).toMatchObject({ name: 'Sintel.2010.1080p.BluRay.x264-DURIAN.mkv', size: 720 * MB });
  expect(told.map(({ size }) => size)).toEqual([100 * MB, 720 * MB]);
  // One byte of each, and then the film: no size is asked for twice.
  expect(asked.slice(0, 2).toSorted()).toEqual(files.map(({ name }) => `${name} bytes=0-0`).toSorted());
  expect(asked).toHaveLength(3);
});

test('nor is it when the film is called by a title that nobody knows', async () => {
  const files = [
    { name: `${JOB}.mkv`, size: 100 * MB },
    { name: 'Durian.2010.1080p.mkv', size: 720 * MB },
  ];
  const { play } = await altMountWith(files);
  const outcome = await play(film('Das Drachenkind')).then(
    ({ file }) => file.name,
    (error: unknown) => String(error),
  );
  expect(outcome).toMatch(/NO_VIDEO/);
});

test('one stream is asked for no size, and one that does not tell its size stays', async () => {
  const lone = await altMountWith([{ name: `${JOB}.mkv`, size: 720 * MB }]);
  await lone.play(film('Sintel'));
  expect(lone.asked).toEqual([`${JOB}.mkv bytes=0-4095`]);
  const silent = await altMountWith([
    { name: `${JOB}.mkv` },
    { name: 'Sintel.2010.1080p.mkv', size: 720 * MB },
  ]);
  expect((await silent.play(film('Sintel'))).file.size).toBe(720 * MB);
});

const pack = (...names: readonly string[]) => {
  const nzb = nzbFor(PACK_RELEASE);
  const told = Buffer.from(nzb.bytes).toString();
  const bytes = PACK_RELEASE.videos.reduce((text, { path }, at) => text.replace(path, names[at] ?? ''), told);
  return { ...nzb, bytes: new Uint8Array(Buffer.from(bytes)) };
};

test.each([
  [['a1b2.mkv', 'c3d4.mkv', 'e5f6.mkv'], 'nobody can tell which episode is which'],
  [['show-s01e05.mkv', 'show-s01e06.mkv', 'show-s01e07.mkv'], 'holds other episodes'],
])('no stream for the episode of a pack with %j', async (names, words) => {
  const { play } = await altMountWith([]);
  await expect(play(EPISODE, pack(...names))).rejects.toMatchObject({
    code: 'NO_VIDEO',
    explanation: { what: expect.stringContaining(words) as string },
  });
});
