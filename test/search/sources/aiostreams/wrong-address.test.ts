import { describe, expect, onTestFinished, test } from 'vitest';
import { startAioStreams } from '../../../../sandbox/direct-stream/aiostreams/index.ts';
import { serviceById } from '../../../../src/connections/services/index.ts';
import { stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { parseSettings } from '../../../../src/settings/index.ts';
import { frontOf } from '../../../connections/front.ts';
import { testContext } from '../../../connections/labs.ts';
import { replayed, reply } from './replay.ts';

async function aioStreams() {
  const service = await startAioStreams();
  onTestFinished(service.close);
  return service;
}

/** What the set-up tells of an address, and at which field. */
async function told(stremio_url: string) {
  const checks = await serviceById('stremio').test(parseSettings({ stremio_url }), await testContext());
  const [failed] = checks.filter(({ failure }) => failure !== undefined);
  const { what, next } = failed?.failure?.explanation ?? {};
  return { what, next, setting: failed?.setting, checks: checks.length };
}

describe('an address of AIOStreams', () => {
  test.each<readonly [string, (address: string) => string]>([
    ['with a wrong letter in the user', (address) => address.replace('5a4d', '5a4e')],
    ['with a wrong letter in the key', (address) => address.replace('/eyJp', '/eyKp')],
    ['with a wrong letter in its path', (address) => address.replace('/stremio/', '/stremoi/')],
    ['with a wrong letter at its end', (address) => address.replace('.json', '.jsn')],
    ['that is cut', (address) => address.replace(/.{9}\/manifest\.json$/, '')],
    ['that lacks its key', (address) => address.replace(/\/[^/]+\/manifest\.json$/, '')],
  ])('%s is to be copied anew', async (_what, changed) => {
    const { addon, url } = await aioStreams();
    expect(await told(changed(`${addon}/manifest.json`))).toEqual({
      what: 'AIOStreams is there, but does not know this address: a letter is wrong or missing, or it is an old one.',
      next: `Copy it anew at ${url}/stremio/configure.`,
      setting: 'stremio_url',
      checks: 1,
    });
  });

  test('of which it says no more than that something has failed is to be copied anew', async () => {
    const service = await replayed();
    service.manifest = { ...reply('stremio-manifest', 'wrong password part'), body: OUT_OF_ORDER };
    service.publicManifest = reply('stremio-manifest', 'public manifest, nothing configured');
    expect(await told(service.url)).toMatchObject({
      next: expect.stringContaining('Copy it anew at') as string,
      setting: 'stremio_url',
    });
  });

  test('that its front end cannot ask about is not to be copied anew', async () => {
    const service = await replayed();
    service.manifest = { status: 503, headers: {}, body: 'Service Unavailable' };
    service.publicManifest = reply('stremio-manifest', 'public manifest, nothing configured');
    expect((await told(service.url)).next).toBe('Try again later.');
  });

  test('behind a path of a proxy is to be copied anew there', async () => {
    const { addon, url } = await aioStreams();
    const front = await frontOf(url, { path: '/aio' });
    const { next } = await told(
      `${front}/aio${new URL(addon).pathname.replace('5a4d', '5a4e')}/manifest.json`,
    );
    expect(next).toBe(`Copy it anew at ${front}/aio/stremio/configure.`);
  });

  test.each(['/stremio/configure', '/stremio/manifest.json'])(
    'that is nobody’s leads to its page: %s',
    async (path) => {
      const { url } = await aioStreams();
      expect(await told(url + path)).toMatchObject({
        what: 'This is the page of AIOStreams, and not your own address of it.',
        next: `Open ${url}/stremio/configure in a browser, and copy the address of the manifest that it shows.`,
        setting: 'stremio_url',
      });
    },
  );

  test('that is right, while AIOStreams is not there, is not to be copied anew', async () => {
    const service = await aioStreams();
    await service.shut();
    expect((await told(`${service.addon}/manifest.json`)).next).not.toMatch(/anew/);
  });
});

describe('a stremio:// address', () => {
  const asStremio = (address: string) => address.replace(/^https?:/, 'stremio:');

  test('is asked by plain HTTP where that is spoken', async () => {
    const { addon } = await aioStreams();
    expect(await told(`${asStremio(addon)}/manifest.json`)).toEqual({ checks: 2 });
  });

  test('lists what is at its own origin, as it is asked', async () => {
    const { addon, url } = await aioStreams();
    const { folder: cacheFolder, signal, log } = await testContext();
    const options = { id: 'x', name: 'Example', apiKey: '', timeout: 5_000, cacheFolder };
    const film = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: 'tt1254207' } } as const;
    // The second time by what the first one has kept on disk, as each play of the media centre is a process of its own.
    for (let play = 0; play < 2; play++) {
      const answer = await stremioSource({ ...options, url: asStremio(addon) }, log).ask(film, signal);
      const links = typeof answer === 'object' ? answer.postings.map(({ link }) => link) : [];
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) {
        expect(link.url).toContain(url);
        expect(link.listedAt).toBeUndefined();
      }
    }
  });

  test('is asked by HTTPS where that is spoken, also by a certificate that nobody trusts', async () => {
    const { addon, url } = await aioStreams();
    const front = await frontOf(url, { tls: true });
    const { what } = await told(asStremio(`${front}${new URL(addon).pathname}/manifest.json`));
    expect(what).toContain('speaks HTTPS, but');
  });
});

/** As AIOStreams answers where it knows no better words (protocols.md §8.8). */
const OUT_OF_ORDER = {
  success: false,
  detail: null,
  data: null,
  error: { code: 'INTERNAL_SERVER_ERROR', message: 'An unexpected error occurred' },
};
