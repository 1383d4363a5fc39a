import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startAioStreams } from '../../../../sandbox/direct-stream/aiostreams/index.ts';
import { startStreamNzb } from '../../../../sandbox/direct-stream/streamnzb/index.ts';
import { CATALOGUE, SINTEL } from '../../../../sandbox/index.ts';
import { pause } from '../../../../src/io/wait.ts';
import type { SearchQuery } from '../../../../src/search/sources/source.ts';
import { stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { memoryLog } from '../../../support/log.ts';
import { newFolder } from '../../folder.ts';

// AIOStreams is away for 4 s, and takes 2 to 7 s to start (protocols.md §8.4).

const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } };
const { signal } = new AbortController();
const FILMS = CATALOGUE.filter(({ of }) => of === SINTEL).length;
const DAY = 86_400_000;

describe.each([
  ['AIOStreams', async () => withAddon(await startAioStreams(), (service) => service.addon)],
  ['StreamNZB', async () => withAddon(await startStreamNzb(), (service) => service.addon())],
] as const)('a restart of %s, which has answered before', (_name, start) => {
  async function setUp() {
    const { service, url } = await start();
    onTestFinished(() => service.close());
    const cacheFolder = await newFolder();
    const options = { id: 's', name: 'Home', url, apiKey: '', timeout: 5_000, takesNzbs: true, cacheFolder };
    /** As each process has its own. */
    const source = () => stremioSource(options, memoryLog());
    await source().capabilities(signal);
    return { service, source };
  }

  it('is waited for, and the search gets its list', async () => {
    const { service, source } = await setUp();
    await service.shut();
    const asking = source().ask(FILM, signal);
    await pause(1_500, signal);
    await service.open();
    expect(await asking).toMatchObject({ postings: { length: FILMS } });
  });

  it('is waited for by what is remembered of it, also where that is due to be asked for again', async () => {
    const { service, source } = await setUp();
    inTwoDays();
    await service.shut();
    const late = source();
    expect(await late.capabilities(signal)).toMatchObject({ movieIds: ['imdb', 'tmdb'] });
    const asking = late.ask(FILM, signal);
    await pause(1_500, signal);
    await service.open();
    expect(await asking).toMatchObject({ postings: { length: FILMS } });
    // It has not been taken for fresh.
    const manifests = () => service.requests.filter(({ path }) => path.endsWith('/manifest.json'));
    const before = manifests().length;
    await late.capabilities(signal);
    expect(manifests()).toHaveLength(before + 1);
  });

  it('is waited for behind a front end that answers meanwhile', async () => {
    const { service, source } = await setUp();
    service.faults.api = [{ kind: 'status', status: 502, body: 'Bad Gateway', times: 1 }];
    expect(await source().ask(FILM, signal)).toMatchObject({ postings: { length: FILMS } });
  });

  it('is waited for no longer than the search lasts', async () => {
    const { service, source } = await setUp();
    await service.shut();
    const ending = new AbortController();
    const asking = source().ask(FILM, ending.signal);
    ending.abort(new Error('the search is over'));
    await expect(asking).rejects.toThrow('the search is over');
  });
});

const withAddon = <Service>(service: Service, addon: (service: Service) => string) => ({
  service,
  url: addon(service),
});

/** What is remembered is fresh for one. */
function inTwoDays(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
