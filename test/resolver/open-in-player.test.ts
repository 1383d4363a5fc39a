import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openInPlayer } from '../../src/resolver/open-in-player.ts';
import { HEADS } from '../media/heads.ts';
import { startFileServer } from '../support/file-server.ts';

const { signal } = new AbortController();

/** The origin of a server that answers so. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A video of 100,000 bytes; where it is by this name. */
async function served(name: string) {
  const server = await startFileServer(100_000);
  onTestFinished(() => server.close());
  return { server, url: new URL(name, server.url).href };
}

test('a video by its address is handed on without a request, and the player told what it is', async () => {
  const { server, url } = await served('/Sintel.mkv');
  const subtitles = [{ url: 'smb://nas/Sintel.srt', name: 'Sintel.srt' }];
  const file = { via: 'player', url, name: 'Sintel.mkv', size: 100_000, subtitles } as const;
  expect(await openInPlayer(file, signal)).toEqual({
    url,
    mime: 'video/x-matroska',
    size: 100_000,
    subtitles: ['smb://nas/Sintel.srt'],
  });
  expect(server.requests).toEqual([]);
});

test('an address without an ending is told by its first bytes, for which it is asked once', async () => {
  const head = Object.values(HEADS.mkv)[0]!.subarray(0, 4096);
  const ranges: (string | undefined)[] = [];
  const server = await listening((request, response) => {
    ranges.push(request.headers.range);
    response.writeHead(206, { 'content-range': 'bytes 0-4095/100000', 'content-length': '4096' }).end(head);
  });
  const url = `${server}/play/3f9a1c`;
  expect(await openInPlayer({ via: 'player', url, name: 'Sintel.mkv' }, signal)).toEqual({
    url,
    mime: 'video/x-matroska',
  });
  expect(ranges).toEqual(['bytes=0-4095']);
});

test.each(['Sintel.strm', 'Sintel.m3u8?Sintel.mkv'])(
  'an address that Kodi would take for a list is not opened, whatever is there: %s',
  async (name) => {
    const { server, url } = await served(`/${name}`);
    const opening = openInPlayer({ via: 'player', url, name: 'Sintel.mkv' }, signal);
    await expect(opening).rejects.toMatchObject({
      code: 'NO_VIDEO',
      message: expect.stringContaining('ends in') as unknown,
    });
    expect(server.requests).toEqual([]);
  },
);

test('a path that nobody can read here is not opened where its ending tells nothing', async () => {
  const opening = openInPlayer({ via: 'player', url: '/films/Sintel', name: 'Sintel' }, signal);
  await expect(opening).rejects.toMatchObject({ code: 'NO_VIDEO' });
});
