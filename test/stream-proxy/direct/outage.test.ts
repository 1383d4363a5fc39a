import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../support/http-server.ts';
import { bytesOf, film, MB, played, startLabAt } from './lab.ts';

const SIZE = 8 * MB;
/** What a service has read of the film before its provider goes away, and still gives. */
const CACHED = 2 * MB;

/** Promises the bytes and sends none, as StreamNZB does of an article that it does not get (protocols.md §8.11). */
function promise(response: ServerResponse): void {
  response.flushHeaders();
  setTimeout(() => response.destroy(), 5);
}

test('an outage in which what was read before still comes is no loss, however much of the film does not', async () => {
  const post = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
  const truth = bytesOf(post);
  let isAway = false;
  const base = await serve((request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [first, last] = [Number(from), to === '' ? SIZE - 1 : Number(to)];
    response.writeHead(206, {
      'content-range': `bytes ${first}-${last}/${SIZE}`,
      'content-length': last - first + 1,
      'content-type': 'video/x-matroska',
    });
    if (isAway && first >= CACHED) promise(response);
    else response.end(truth.subarray(first, (isAway ? Math.min(last, CACHED - 1) : last) + 1));
  });
  const lab = await startLabAt('streamnzb', `${base}/film.mkv`);
  onTestFinished(lab.close);
  const url = await lab.open({ name: 'Big.Buck.Bunny', url: `${base}/film.mkv` });
  expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
  isAway = true;
  setTimeout(() => {
    isAway = false;
  }, 2_500);
  let at = 4 * MB;
  for (let returns = 0; returns < 10 && at < SIZE; returns++) {
    const came = await played(url, truth, `bytes=${at}-`);
    expect(came.wrong).toBe(0);
    at += came.count;
  }
  expect(at).toBe(SIZE);
  expect(lab.proxy.sessions()[0]).toMatchObject({ fills: [] });
  expect(lab.proxy.sessions()[0]?.lost).toBeUndefined();
});
