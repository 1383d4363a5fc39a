import { describe, expect, onTestFinished, test } from 'vitest';
import { whenQuery } from '../../sandbox/index.ts';
import { ProwlarrIndexer } from '../../sandbox/indexer/prowlarr/indexer.ts';
import { OWN_POSTS } from '../../sandbox/indexer/prowlarr/rows.ts';
import { startIndexer } from '../../sandbox/indexer/start.ts';
import { closedPort } from '../support/http-server.ts';
import { expectNothingLeft, ledgerRows, pipeline } from './set-up.ts';

const KEY = 'manager-key-55d0e1';
/** Of it there are several releases. */
const FILM = '?type=movie&title=Big+Buck+Bunny&year=2008&imdb=tt1254207';

/** Prowlarr knows its indexer by an address at which this device finds nobody, and nzbdav does. */
async function inContainers(options: Parameters<typeof pipeline>[0] = {}) {
  const address = await closedPort();
  const attic = new ProwlarrIndexer({ id: 1, name: 'Attic', baseUrl: `${address}${OWN_POSTS}/1` });
  const manager = await startIndexer('prowlarr', { apiKey: KEY, behind: [attic] });
  onTestFinished(() => manager.close());
  const settings = {
    indexer_url: '',
    prowlarr_url: manager.url,
    prowlarr_api_key: KEY,
    max_attempts: '3',
    ...options.settings,
  };
  const p = await pipeline({ ...options, settings });
  const { host } = new URL(address);
  p.sandbox.hosts.set(host, manager.url);
  const addresses = () =>
    p.sandbox.requests.filter(whenQuery('mode', 'addurl')).map(({ query }) => query['name']);
  return { ...p, p, attic, manager, atticHost: host, addresses };
}

describe('an indexer that the backend alone reaches', () => {
  test('plays once the person lets the backend fetch the NZB', async () => {
    const { p, sandbox, host, log, manager, atticHost, addresses, attic } = await inContainers();
    const played = p.resolve(FILM);
    const { title, text, yes, no } = await host.person.confirm(true);
    expect(await played).toBe(true);
    expect([title, yes, no]).toEqual(['Fetch it by nzbdav?', 'Let nzbdav fetch it', 'Next release']);
    expect(text).toContain(
      `Prowlarr sends this device on to ${atticHost}, which it cannot reach. nzbdav may reach it`,
    );
    expect(text).not.toContain(KEY);
    expect(addresses()).toHaveLength(1);
    expect(addresses()[0]).toMatch(new RegExp(`^${manager.url}/1/download`));
    expect(attic.grabs).toHaveLength(1);
    expect(sandbox.jobs()).toHaveLength(1);
    expect(host.resolved[0]?.stream.url).toContain(sandbox.jobs()[0]!.name.slice(0, 14));
    expect(host.person.history).toHaveLength(1);
    expect(await ledgerRows(host)).toEqual([]);
    expect(log.lines.join(' ')).not.toContain(KEY);
  });

  test.each([
    ['says no', (host: Awaited<ReturnType<typeof inContainers>>['host']) => host.person.confirm(false)],
    ['goes back', (host: Awaited<ReturnType<typeof inContainers>>['host']) => host.person.back()],
  ])('is given up when the person %s, who is not asked again for the next release', async (_, answer) => {
    const { p, host, addresses } = await inContainers();
    const played = p.resolve(FILM);
    await answer(host);
    expect(await played).toBe(false);
    expect(host.notified).toMatchObject([{ what: 'All 3 releases that were tried failed.' }]);
    expect(host.person.history).toHaveLength(1);
    expect(addresses()).toEqual([]);
    await expectNothingLeft(p);
  });

  test('is fetched from for the next release too, without another question, when the first is no NZB', async () => {
    const { p, host, attic, addresses } = await inContainers({ settings: { max_attempts: '2' } });
    attic.download = 'page';
    const played = p.resolve(FILM);
    await host.person.confirm(true);
    expect(await played).toBe(false);
    expect(addresses()).toHaveLength(2);
    expect(host.person.history).toHaveLength(1);
    await expectNothingLeft(p);
  });

  test('is not asked about where a playlist came to the film', async () => {
    const { p, host, addresses } = await inContainers({ startedBy: 'playlist' });
    expect(await p.resolve(FILM)).toBe(false);
    expect(host.person.history).toEqual([]);
    expect(addresses()).toEqual([]);
    await expectNothingLeft(p);
  });

  test('leaves nothing behind when the person cancels instead of answering', async () => {
    const { p, host } = await inContainers();
    const played = p.resolve(FILM);
    await host.person.waitFor('yes-no');
    host.cancel();
    expect(await played).toBe(false);
    await expectNothingLeft(p);
  });

  test('leaves no job behind when the person cancels what the backend has fetched', async () => {
    const lab = await inContainers({
      jobDuration: 60_000,
      onProgress: (_, host) => {
        if (lab.sandbox.queueLength() > 0) host.cancel();
      },
    });
    const played = lab.p.resolve(FILM);
    await lab.host.person.confirm(true);
    expect(await played).toBe(false);
    expect(lab.addresses()).toHaveLength(1);
    await expectNothingLeft(lab.p);
  });
});
