import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CATALOGUE, SINTEL, type TransportFault, whenQuery } from '../../sandbox/index.ts';
import { ProwlarrIndexer } from '../../sandbox/indexer/prowlarr/indexer.ts';
import { type IndexerSandbox, type StartOptions, startIndexer } from '../../sandbox/indexer/start.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import { statusLine } from '../../src/search/run/status-text.ts';
import { newznabSource } from '../../src/search/sources/newznab/index.ts';
import { prowlarrSource } from '../../src/search/sources/prowlarr/index.ts';
import type { SearchSource } from '../../src/search/sources/source.ts';
import { memoryLog } from '../support/log.ts';
import { newFolder } from './folder.ts';
import { LONG, newId, type Options, search, states } from './searching.ts';

/** The same as patience.test.ts, where what is asked are services over HTTP. */
const KEY = 'patience-key-4c0de1';
/** The posts of the film that each service lists. */
const POSTS = CATALOGUE.filter(({ of }) => of === SINTEL).length;

interface Indexer {
  readonly source: SearchSource;
  readonly service: IndexerSandbox;
}

async function start(dialect: 'newznab' | 'prowlarr', options: Partial<StartOptions> = {}) {
  const service = await startIndexer(dialect, { apiKey: KEY, ...options });
  onTestFinished(() => service.close());
  return service;
}

/** A Newznab indexer in which that goes wrong. */
async function indexer(...faults: readonly TransportFault[]): Promise<Indexer> {
  const service = await start('newznab');
  service.faults.wire.push(...faults);
  const id = newId();
  const at = { url: service.url, apiKey: KEY, timeout: LONG, cacheFolder: await newFolder() };
  return { service, source: newznabSource({ id, name: id.toUpperCase(), ...at }, memoryLog()) };
}

const when = whenQuery('t', 'movie');
const sourcesOf = (indexers: readonly Indexer[]) => indexers.map(({ source }) => source);
const searchIn = (sources: Parameters<typeof search>[0], options: Options = {}) =>
  search(sources, { loadParser: loadReleaseNameParser, ...options });
const enough = { enoughReleases: POSTS, grace: 100, graceForFew: LONG };

/** A busy machine may take its time. */
const IN_TIME = { timeout: 10_000 };

/** Nothing that was asked of it is still waiting for an answer. */
const isLeftAlone = ({ service }: Indexer) =>
  vi.waitFor(() => {
    expect(service.requests.length).toBeGreaterThan(0);
    expect(service.requests.filter(({ done }) => !done)).toEqual([]);
  }, IN_TIME);

describe('patience with services', () => {
  it('is over when everybody has answered, and each post is listed once', async () => {
    const running = await searchIn(sourcesOf([await indexer(), await indexer()]), {
      patience: { grace: LONG },
    });
    await running.ready;
    await vi.waitFor(() => {
      expect(states(running)).toEqual(['answered', 'answered']);
    }, IN_TIME);
    expect(running.state.releases.map(({ links }) => links.length)).toEqual(Array(POSTS).fill(2));
  });

  it.each<[string, TransportFault]>([
    ['what it can be asked by', { kind: 'hang', when: whenQuery('t', 'caps') }],
    ['its answer', { kind: 'hang', when }],
    ['the end of its answer', { kind: 'cut', after: 200, how: 'hang', when }],
  ])('waits no longer than the grace for an indexer that keeps back %s', async (_, fault) => {
    const silent = await indexer(fault);
    const running = await searchIn(sourcesOf([await indexer(), silent]), { patience: enough });
    await running.ready;
    expect(running.state.releases).toHaveLength(POSTS);
    expect(states(running)[1]).not.toBe('answered');
    await running.close();
    await isLeftAlone(silent);
  });

  it('gives a silent indexer its own time, and then leaves it alone', async () => {
    const silent = await indexer({ kind: 'hang', when });
    const running = await searchIn([silent.source], { patience: { perSource: { [silent.source.id]: 300 } } });
    await running.finished;
    expect(running.state.sources[0]?.failure?.code).toBe('TIMEOUT');
    await isLeftAlone(silent);
  });

  it('lists what comes late from one that is slow, after the list is up', async () => {
    const slow = await indexer({ kind: 'slow', milliseconds: 600, when });
    const running = await searchIn(sourcesOf([await indexer(), slow]), { patience: { ...enough, grace: 0 } });
    await running.ready;
    await running.finished;
    expect(states(running)).toEqual(['answered', 'answered']);
    expect(running.state.releases[0]?.links).toHaveLength(2);
  });

  it('with ten indexers of which three hang, two answer garbage, one breaks off, one is rate-limited and one floods', async () => {
    const indexers = await Promise.all([
      ...[indexer({ kind: 'hang', when }), indexer({ kind: 'hang', when: whenQuery('t', 'caps') })],
      indexer({ kind: 'cut', after: 200, how: 'hang', when }),
      ...[indexer({ kind: 'html', when }), indexer({ kind: 'truncated', when })],
      indexer({ kind: 'reset', when }),
      indexer({ kind: 'status', status: 429, retryAfter: '3600', when }),
      indexer({ kind: 'endless', when }),
      ...[indexer(), indexer()],
    ]);
    const sources = sourcesOf(indexers);
    const running = await searchIn(sources, { patience: enough });
    await running.ready;
    expect(running.state.releases).toHaveLength(POSTS);
    await vi.waitFor(() => {
      expect(states(running).slice(3, 8)).toEqual(Array(5).fill('failed'));
    }, IN_TIME);
    for (const state of states(running).slice(0, 3)) expect(state).not.toBe('answered');
    const line = statusLine(running.state);
    expect(line).toContain('waiting for');
    for (const { name } of sources.slice(3, 5))
      expect(line).toContain(`${name}: an answer that makes no sense`);
    expect(line).toContain(`${sources[6]?.name ?? ''}: its limit is reached`);
    await running.close();
    await Promise.all(indexers.map(isLeftAlone));
  });

  it('waits no longer for one behind Prowlarr than for any other', async () => {
    const service = await start('prowlarr', {
      behind: [
        new ProwlarrIndexer({ id: 2, name: 'Meadow' }),
        new ProwlarrIndexer({ id: 3, name: 'Burrow', search: 'dead' }),
      ],
      prowlarr: { times: { betweenQueries: 0, betweenTries: 0 } },
    });
    const at = { url: service.url, apiKey: KEY, timeout: LONG, memberTimeout: LONG };
    const manager = prowlarrSource(
      { id: newId(), name: 'Prowlarr', ...at, cacheFolder: await newFolder() },
      memoryLog(),
    );
    const running = await searchIn([manager], { patience: enough });
    await running.ready;
    expect(running.state.releases).toHaveLength(POSTS);
    expect(running.state.sources.map(({ state }) => state)).not.toEqual(['answered', 'answered']);
  });
});
