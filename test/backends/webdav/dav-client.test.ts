import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FinishedJob } from '../../../src/backends/backend.ts';
import { nameBelow } from '../../../src/backends/webdav/dav-client.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { memoryLog } from '../../support/log.ts';
import { CALM, startLab, type WebdavLab } from './lab.ts';

let lab: WebdavLab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab.close());

const JOB: FinishedJob = { id: '1', name: 'Sintel', category: 'movies', storage: '/mnt/x/movies/Sintel' };
const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', ids: {} };
const FOLDER = ['content', 'movies', 'Sintel'];
const live = () => new AbortController().signal;

/** A response element; a size of undefined makes a folder. The prefix is the server's own choice. */
const response = (href: string, size?: number, p = 'd') => `<${p}:response><${p}:href>${href}</${p}:href>
<${p}:propstat><${p}:prop>${
  size === undefined
    ? `<${p}:resourcetype><${p}:collection/></${p}:resourcetype>`
    : `<${p}:getcontentlength>${size}</${p}:getcontentlength><${p}:resourcetype/>`
}</${p}:prop><${p}:status>HTTP/1.1 200 OK</${p}:status></${p}:propstat></${p}:response>`;

function lists(path: string, responses: string[], p = 'd'): void {
  const body = `<?xml version="1.0"?><${p}:multistatus xmlns:${p}="DAV:">${responses.join('')}</${p}:multistatus>`;
  const when = (request: { path: string }) => decodeURIComponent(request.path) === `/content/movies/${path}/`;
  lab.sandbox.faults.webdav.push({ kind: 'body', body, type: 'application/xml', when });
}

const locate = async () => {
  const { file } = await lab.backend.locate(JOB, FILM, live());
  if (file.via !== 'proxy') throw new Error('not through the proxy');
  return file;
};

describe('locating', () => {
  it('asks for depth 1 with the password in a header, and gives both on', async () => {
    lists('Sintel', [response('/content/movies/Sintel/Sintel.mkv', 7)]);
    const playable = await locate();
    const [request] = lab.sandbox.requests;
    expect(request).toMatchObject({ method: 'PROPFIND', headers: { depth: '1' } });
    expect(playable.headers['authorization']).toBe(request?.headers['authorization']);
    expect(playable).toMatchObject({ name: 'Sintel.mkv', size: 7 });
    expect(playable.url).toBe(`${lab.sandbox.backend.webdavUrl}/content/movies/Sintel/Sintel.mkv`);
  });

  it('brings the subtitles of the video, and an inventory', async () => {
    const at = '/content/movies/Sintel';
    lists('Sintel', [
      response(`${at}/Sintel.mkv`, 700),
      response(`${at}/Sintel.en.srt`, 3),
      response(`${at}/Subs/`),
      response(`${at}/readme.txt`, 9),
    ]);
    lists('Sintel/Subs', [response(`${at}/Subs/2_Suomi%20%231.srt`, 4)]);
    const { file, files } = await lab.backend.locate(JOB, FILM, live());
    const base = `${lab.sandbox.backend.webdavUrl}${at}`;
    expect(file.subtitles).toEqual([
      { url: `${base}/Sintel.en.srt`, name: 'Sintel.en.srt' },
      { url: `${base}/Subs/2_Suomi%20%231.srt`, name: '2_Suomi #1.srt' },
    ]);
    expect(files.map(({ path }) => path.join('/')).sort()).toEqual([
      'Sintel.en.srt',
      'Sintel.mkv',
      'Subs/2_Suomi #1.srt',
      'readme.txt',
    ]);
  });

  it('looks at the second place when the first is not there', async () => {
    lists('Sintel', [response('/content/movies/Sintel/Sintel.mkv', 7)]);
    const job = { ...JOB, category: 'films' };
    expect((await lab.backend.locate(job, FILM, live())).file.name).toBe('Sintel.mkv');
    expect(lab.requests()).toBe(2);
  });

  it('reads any prefix, foreign hosts and paths of a proxy, and stays on its own host', async () => {
    const href = 'http://localhost:8080/dav/content/movies/Sintel/';
    lists('Sintel', [response(href, undefined, 'X'), response(`${href}a%20b%25.mkv`, 5, 'X')], 'X');
    const playable = await locate();
    expect(playable.name).toBe('a b%.mkv');
    expect(playable.url).toBe(`${lab.sandbox.backend.webdavUrl}/content/movies/Sintel/a%20b%25.mkv`);
  });

  it('looks into folders, three levels at the most, and not into hidden ones', async () => {
    const at = '/content/movies/Sintel';
    lists('Sintel', [response(`${at}/a/`), response(`${at}/.hidden/`), response(`${at}/.x.mkv`, 99)]);
    lists('Sintel/a', [response(`${at}/a/`), response(`${at}/a/b/`), response(`${at}/a/1.mkv`, 1)]);
    lists('Sintel/a/b', [response(`${at}/a/b/c/`), response(`${at}/a/b/2.mkv`, 200)]);
    expect((await locate()).name).toBe('2.mkv');
    expect(lab.requests()).toBe(3);
  });

  it('is not led outside of the folder, nor into endless folders', async () => {
    const at = '/content/movies/Sintel';
    const outside = [
      '/content/movies/Other/x.mkv',
      `${at}/../Other/x.mkv`,
      `${at}/..%2fOther%2fx.mkv`,
      `${at}/..%5cx.mkv`,
      `${at}/%2e%2e`,
      `${at}/deep/er/x.mkv`,
      '/etc/x.mkv',
      'http://evil.invalid/x.mkv',
      'x:y.mkv',
      '',
    ];
    const many = Array.from({ length: 400 }, (_, n) => response(`${at}/f${n}/`));
    lists('Sintel', [...outside.map((href) => response(href, 999)), response(`${at}/in.mkv`, 1), ...many]);
    // "x:y.mkv" is a name, if an odd one; everything else is elsewhere.
    expect((await locate()).name).toBe('x:y.mkv');
    expect(lab.requests()).toBeLessThan(160);
    expect(lab.logged()).toContain('more than is looked at');
  });

  it('waits for a folder that comes a moment after its job', async () => {
    lists('Sintel', [response('/content/movies/Sintel/Sintel.mkv', 7)]);
    lab.sandbox.faults.webdav.splice(1, 0, { kind: 'status', status: 404, times: 2 });
    expect((await locate()).name).toBe('Sintel.mkv');
  });

  it('says that the address is wrong when the folder of a finished job stays absent', async () => {
    lab.sandbox.faults.webdav.push({ kind: 'status', status: 404 });
    await expect(locate()).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      explanation: {
        what: 'nzbdav says the release is ready, but its WebDAV does not show it.',
        next: 'Check the WebDAV address in the settings of Slipstream (Backends).',
      },
    });
    expect(lab.requests()).toBe(4);
  });

  it('goes on without a folder inside that has gone since', async () => {
    const at = '/content/movies/Sintel';
    lists('Sintel', [response(`${at}/gone/`), response(`${at}/Sintel.mkv`, 7)]);
    lab.sandbox.faults.webdav.push({ kind: 'status', status: 404 });
    expect((await locate()).name).toBe('Sintel.mkv');
  });

  it.each([
    [401, 'AUTH_FAILED'],
    [403, 'AUTH_FAILED'],
    [405, 'BAD_ANSWER'],
    [500, 'SERVICE_ERROR'],
  ])('tells what status %d means', async (status, code) => {
    lab.sandbox.faults.webdav.push({ kind: 'status', status });
    await expect(locate()).rejects.toMatchObject({ code });
  });

  it.each([
    ['a base path and an odd end', '/dav//?x=1#y', '/dav'],
    ['the API', '/api/', ''],
    ['nothing', undefined, ''],
  ])('takes an address with %s', async (_name, suffix, base) => {
    const { webdavUrl, apiKey, username, password } = lab.sandbox.backend;
    const config = {
      apiUrl: webdavUrl,
      apiKey,
      webdavUrl: suffix === undefined ? '' : webdavUrl + suffix,
      username,
      password,
      movieCategory: 'movies',
      tvCategory: 'tv',
    };
    lab.sandbox.faults.webdav.push({ kind: 'status', status: 401 });
    await expect(webdavBackend(config, memoryLog(), CALM).locate(JOB, FILM, live())).rejects.toThrow();
    expect(lab.sandbox.requests.at(-1)?.path).toBe(`${base}/content/movies/Sintel/`);
  });
});

describe('nameBelow', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/[/\\\0]/.test(text) && text !== '.' && text !== '..' && !/%[0-9a-f]{2}/i.test(text));

  it('gives each name back, however the server writes its address', () => {
    const start = fc.constantFrom('', 'http://localhost:8080', 'https://h', '/dav', '//h');
    fc.assert(
      fc.property(name, start, fc.constantFrom('', '/'), (text, before, end) => {
        const href = `${before}/${FOLDER.join('/')}/${encodeURIComponent(text)}${end}`;
        expect(nameBelow(FOLDER, href)).toBe(text);
      }),
    );
  });

  it('reads names that are not encoded, or wrongly', () => {
    expect(nameBelow(FOLDER, '/content/movies/Sintel/Größe 100%?#.mkv')).toBe('Größe 100%?#.mkv');
    expect(nameBelow(FOLDER, 'Sintel.mkv')).toBe('Sintel.mkv');
    expect(nameBelow(FOLDER, '/content/movies/Sintel/100%25.mkv')).toBe('100%.mkv');
    expect(nameBelow(['content', 'Gro\u0308ße'], '/content/Gr%C3%B6%C3%9Fe/a')).toBe('a');
  });

  it('gives one plain name or nothing for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.constantFrom(...FOLDER, '..', '/', '%2f', '%')), (text, parts) => {
        for (const href of [text, parts.join('/') + text]) {
          expect(nameBelow(FOLDER, href) ?? 'x').toMatch(/^[^/\\\0]+$/);
          expect(['.', '..']).not.toContain(nameBelow(FOLDER, href));
        }
      }),
    );
  });
});
