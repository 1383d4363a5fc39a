import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_FILES } from '../../../src/backends/nzb/content.ts';
import { fetchNzb } from '../../../src/backends/nzb/fetch.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { link, release } from '../../release/candidates.ts';
import { memoryLog } from '../../support/log.ts';
import { nzbText, postedFile } from '../../support/nzb.ts';

// All documents here are written for these tests.
const NZB = `<?xml version="1.0" encoding="iso-8859-1" ?>
<!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"><file poster="a &amp; b" date="1" subject="Sintel">
<groups><group>alt.test</group></groups><segments><segment bytes="1" number="1">1@x</segment>
<segment bytes="1" number="2">2@x</segment></segments></file></nzb>`;

let server: Server | undefined;
let seen = 0;

async function serve(listener: RequestListener): Promise<string> {
  seen = 0;
  server = createServer((request, response) => {
    seen++;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answer = (body: string | Uint8Array, status = 200, headers = {}) =>
  serve((_request, response) => response.writeHead(status, headers).end(body));

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
/** Its film lacks one of 50 articles. */
const LACKING = (() => {
  const film = postedFile('Sintel.2010.mkv', 50);
  const segments = film.segments.filter(({ number }) => number !== 20).toReversed();
  return nzbText([{ ...film, segments }, postedFile('Sintel.nfo', 1)]);
})();

const SECRET = 'k3y-in-the-path';
const live = () => new AbortController().signal;
const get = (url: string, signal = new AbortController().signal, timeout = 5_000) =>
  fetchNzb(release({ links: [link({ url: `${url}/get/${SECRET}?apikey=${SECRET}` })] }), {
    signal,
    timeout,
    log: memoryLog(),
  });

async function failure(url: string): Promise<SlipstreamError> {
  const error: unknown = await get(url).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof SlipstreamError)) throw new Error('expected a SlipstreamError', { cause: error });
  const text = `${error.message} ${error.explanation.what} ${error.explanation.next}`;
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('127.0.0.1');
  return error;
}

describe('fetchNzb', () => {
  it('counts the files and segments of an NZB and keeps its bytes', async () => {
    const nzb = await get(await answer(NZB));
    expect(nzb).toMatchObject({ fileCount: 1, segmentCount: 2 });
    expect(Buffer.from(nzb.bytes).toString()).toBe(NZB);
  });

  it('refuses one that lacks what is to be streamed, and tells what', async () => {
    const url = await answer(LACKING);
    const links = [link({ url })] as const;
    const fetching = fetchNzb(release({ links }), { signal: live(), log: memoryLog(), toStream: FILM });
    await expect(fetching).rejects.toMatchObject({
      code: 'NZB_INCOMPLETE',
      explanation: {
        what: 'The indexer Example delivered an NZB that lacks 1 of the 50 pieces of the film.',
      },
    });
  });

  it('refuses one of more files than can be looked through while a film plays', async () => {
    const files = Array.from({ length: MAX_FILES + 1 }, (_, at) => postedFile(`${at}.bin`, 1));
    const fetched = async (text: string) => {
      const links = [link({ url: await answer(text) })] as const;
      return await fetchNzb(release({ links }), { signal: live(), log: memoryLog(), toStream: FILM });
    };
    await expect(fetched(nzbText(files))).rejects.toMatchObject({
      code: 'NZB_INVALID',
      message: expect.stringContaining('broken: more than 20000 files') as string,
    });
    server?.close();
    expect((await fetched(nzbText(files.slice(1)))).fileCount).toBe(MAX_FILES);
  });

  it('takes one of more articles than that, each of which stands in an element of its own', async () => {
    const film = postedFile('Sintel.2010.mkv', MAX_FILES + 5);
    const pieces = film.segments.map((segment) => ({ ...film, segments: [segment] }));
    const links = [link({ url: await answer(nzbText(pieces)) })] as const;
    const nzb = await fetchNzb(release({ links }), { signal: live(), log: memoryLog(), toStream: FILM });
    expect(nzb).toMatchObject({ fileCount: 1, segmentCount: MAX_FILES + 5 });
  });

  it('leaves one as it came that is downloaded whole', async () => {
    const nzb = await get(await answer(LACKING));
    expect(Buffer.from(nzb.bytes).toString()).toBe(LACKING);
    expect(nzb.articleBytes).toBeUndefined();
  });

  it('takes the whole NZB of another indexer', async () => {
    const url = await serve((request, response) => response.end(request.url === '/1' ? LACKING : NZB));
    const links = [link({ url: `${url}/1` }), link({ url: `${url}/2` })] as const;
    const nzb = await fetchNzb(release({ links }), { signal: live(), log: memoryLog(), toStream: FILM });
    expect(nzb).toMatchObject({ fileCount: 1, segmentCount: 2, articleBytes: 1 });
  });

  it('follows redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/get') === true) response.writeHead(301, { location: '/elsewhere' }).end();
      else response.end(NZB);
    });
    expect((await get(url)).segmentCount).toBe(2);
  });

  it('unpacks an NZB that comes as a gzip file', async () => {
    const nzb = await get(await answer(gzipSync(NZB)));
    expect(Buffer.from(nzb.bytes).toString()).toBe(NZB);
  });

  it('refuses a gzip bomb and a gzip file that breaks off', async () => {
    const bomb = gzipSync(Buffer.alloc(101 * 1024 * 1024));
    expect((await failure(await answer(bomb))).code).toBe('NZB_INVALID');
    server?.close();
    expect((await failure(await answer(gzipSync(NZB).subarray(0, 60)))).code).toBe('NZB_INVALID');
  });

  it.each([
    ['an empty body', '', 200, 'NZB_INVALID'],
    ['blanks', ' \r\n', 200, 'NZB_INVALID'],
    ['a login page', '<!DOCTYPE html><html><body><br>Login</body></html>', 200, 'NZB_INVALID'],
    ['a page that is no XML at all', 'Hello <html lang=en>', 200, 'NZB_INVALID'],
    ['JSON', '{"error": "no"}', 200, 'NZB_INVALID'],
    ['an NZB without files', '<nzb></nzb>', 200, 'NZB_INVALID'],
    ['an NZB without segments', '<nzb><file subject="x"><segments/></file></nzb>', 200, 'NZB_INVALID'],
    ['an NZB that breaks off', NZB.slice(0, -20), 200, 'NZB_INVALID'],
    ['another document', '<rss><channel/></rss>', 200, 'NZB_INVALID'],
    ['wrong credentials', '<error code="100" description="Incorrect user credentials"/>', 200, 'AUTH_FAILED'],
    [
      'a limit under a code for credentials',
      '<error code="101" description="Hits Limit Reached"/>',
      200,
      'RATE_LIMITED',
    ],
    ['the request limit', '<error code="500" description="Request limit reached"/>', 200, 'RATE_LIMITED'],
    ['the grab limit', '<error code="501" description="Download limit"/>', 429, 'RATE_LIMITED'],
    ['a release that is gone', '<error code="300" description="No such item"/>', 200, 'NZB_INVALID'],
    [
      'an error document with status 500',
      '<error code="300" description="No such item"/>',
      500,
      'NZB_INVALID',
    ],
    ['an error nobody knows', '<error code="900" description="Unknown"/>', 200, 'SERVICE_ERROR'],
    ['an error without a code', '<error/>', 200, 'SERVICE_ERROR'],
    ['401', 'no', 401, 'AUTH_FAILED'],
    ['403', 'no', 403, 'AUTH_FAILED'],
    ['a web page with 403', '<html></html>', 403, 'SERVICE_ERROR'],
    ['an account that has expired', '<error code="900" description="Account expired"/>', 200, 'AUTH_FAILED'],
    ['404', '', 404, 'NZB_INVALID'],
    ['410', '', 410, 'NZB_INVALID'],
    ['429', '', 429, 'RATE_LIMITED'],
    ['503', '<html></html>', 503, 'SERVICE_ERROR'],
    ['an NZB with status 500', NZB, 500, 'SERVICE_ERROR'],
    ['a redirect to nowhere', '', 302, 'NZB_INVALID'],
  ])('tells %s from an NZB', async (_name, body, status, code) => {
    const error = await failure(await answer(body, status));
    expect(error.code).toBe(code);
    expect(error.explanation.what).toContain('The indexer Example');
  });

  it('says when to try again', async () => {
    const error = await failure(await answer('', 429, { 'retry-after': '600' }));
    expect(error.explanation.next).toContain('10 minutes');
  });

  it('shows no address from the words of an error document', async () => {
    const words = `see http://127.0.0.1/get/${SECRET} for more`;
    const error = await failure(await answer(`<error code="910" description="${words}"/>`));
    expect(error.explanation.what).toContain('see');
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', `http://${SECRET}:x/`, 'http://'])(
    'does not quote a redirect that leads to %s',
    async (location) => {
      expect((await failure(await answer('', 302, { location }))).code).toBe('NZB_INVALID');
    },
  );

  it('does not quote a redirect that leads to where nothing listens', async () => {
    const location = `http://user:${SECRET}@127.0.0.1:1/${SECRET}`;
    expect((await failure(await answer('', 302, { location }))).code).toBe('UNREACHABLE');
  });

  it('expands no entity', async () => {
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`);
    const bomb = `<!DOCTYPE nzb [<!ENTITY a0 "lol">${entities.join('')}]><nzb><file subject="&a9;"/></nzb>`;
    expect((await failure(await answer(bomb))).code).toBe('NZB_INVALID');
  });

  it('stops reading an endless answer', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const url = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && sent < 2048 && response.write(chunk)) sent++;
        if (sent < 2048) response.once('drain', more);
      };
      more();
    });
    expect((await failure(url)).code).toBe('TOO_LARGE');
    expect(sent).toBeLessThan(400);
  });

  it('gives up when nothing comes', async () => {
    const url = await serve(() => undefined);
    await expect(get(url, undefined, 50)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('ends at once with the reason of its signal, and asks nothing more', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const url = await serve(() => {
      controller.abort(reason);
    });
    await expect(get(url, controller.signal)).rejects.toBe(reason);
    await expect(get(url, controller.signal)).rejects.toBe(reason);
    expect(seen).toBe(1);
  });

  it('ends with an NZB or with a SlipstreamError, whatever the bytes', async () => {
    let body: Uint8Array = new Uint8Array();
    const url = await serve((_request, response) => response.end(body));
    const pieces = fc.constantFrom(
      '<nzb>',
      '</nzb>',
      '<file>',
      '<segment/>',
      '</file>',
      '<error',
      '&',
      ']]>',
      'é',
    );
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(pieces, { maxLength: 12 }).map((parts) => new Uint8Array(Buffer.from(parts.join('')))),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (bytes) => {
        body = bytes;
        const result: unknown = await get(url).catch((error: unknown) => error);
        expect(result instanceof SlipstreamError || (result as { fileCount: number }).fileCount > 0).toBe(
          true,
        );
      }),
      { numRuns: 150 },
    );
  });
});
