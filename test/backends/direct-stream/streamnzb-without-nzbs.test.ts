import { describe, expect, onTestFinished, test } from 'vitest';
import { startStreamNzb } from '../../../sandbox/direct-stream/streamnzb/index.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { FILM, released } from '../labs.ts';
import { CALM, judgedNzbFor } from './lab.ts';

// A StreamNZB that can be reached and takes no NZBs (protocols.md §8.11).

const { signal } = new AbortController();
const backendAt = (url: string) =>
  directStreamBackend({ kind: 'streamnzb', url, apiKey: 'k', via: 'player' }, memoryLog(), CALM);
const WORDS = {
  what: 'This is StreamNZB 4.1.0, which takes no NZBs.',
  next: 'Update it, or enter its manifest address as Stremio add-on.',
};

describe('StreamNZB 4.1.0', () => {
  const setUp = async () => {
    const service = await startStreamNzb();
    onTestFinished(() => service.close());
    return { service, backend: backendAt(service.url) };
  };

  test('is told by the test as what it is, with any key', async () => {
    const { backend } = await setUp();
    const [answers, streams] = await backend.test(signal);
    expect(answers?.failure).toBeUndefined();
    expect(streams).toMatchObject({ setting: 'direct_url', failure: { explanation: WORDS } });
  });

  test('is told before an NZB is fetched, and by a play', async () => {
    const { backend } = await setUp();
    await expect(backend.preflight?.(signal)).rejects.toMatchObject({ explanation: WORDS });
    const nzb = await judgedNzbFor(released('Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW'));
    const play = backend.submit(nzb, 'Big.Buck.Bunny-0a1b', FILM, signal);
    await expect(play).rejects.toMatchObject({ code: 'BAD_ANSWER', explanation: WORDS });
  });

  test('is told without its version where it does not tell that', async () => {
    const { service, backend } = await setUp();
    service.faults.api.push({ kind: 'html', when: ({ path }) => path === '/api/info' });
    const checks = await backend.test(signal);
    expect(checks.at(-1)?.failure?.explanation.what).toBe('This is StreamNZB, which takes no NZBs.');
  });
});

test.each(['unauthorized', 'Unauthorized\n', '{"error":"Unauthorized"}\n'])(
  'one that takes them is known by its 401: %j',
  async (words) => {
    const url = await serve((request, response) => {
      request.resume();
      if (request.url === '/api/play/nzb') response.writeHead(401).end(words);
      else response.writeHead(404).end('404 page not found\n');
    });
    const checks = await backendAt(`${url}/films`).test(signal);
    expect(checks.at(-1)?.failure?.explanation.what).toBe('StreamNZB is at another path of this server.');
  },
);
