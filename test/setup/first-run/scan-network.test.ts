import { expect, onTestFinished, test } from 'vitest';
import { startAioStreams } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { CancelledError } from '../../../src/errors/index.ts';
import { SCAN_DURATION_TEXT } from '../../../src/setup/discovery/index.ts';
import { runFirstRun } from '../../../src/setup/index.ts';
import { serve } from '../../support/http-server.ts';
import type { RecordingHost } from '../../support/recording-host.ts';
import { KEYS, type Stage, stage } from '../stage.ts';

const PROWLARR_KEY = 'canary-prowlarr-key-0a51';
const portOf = (url: string) => Number(new URL(url).port);
const SEARCH = 'Set up Slipstream: what do you search with?';

async function prowlarr(): Promise<string> {
  const service = await startIndexer('prowlarr', { apiKey: PROWLARR_KEY });
  onTestFinished(() => service.close());
  return service.url;
}

/** The guided set-up in a network of these services, left where the answers end. */
async function near(
  staged: Stage,
  urls: readonly string[],
  answers: (person: RecordingHost['person']) => Promise<unknown>,
): Promise<void> {
  const places = { hosts: ['127.0.0.1'], ports: urls.map(portOf) };
  const running = runFirstRun(staged.context, { scanTargets: places });
  running.catch(() => undefined);
  await answers(staged.host.person);
  await staged.host.person.asked();
  staged.host.abort();
  await expect(running).rejects.toBeInstanceOf(CancelledError);
}

/** The rows of the list that is asked next; of an earlier one that looks like it there is no mistaking. */
const firstRows = async (person: RecordingHost['person'], count: number) =>
  (await person.waitFor('choice')).rows.slice(0, count);

test('what was found comes first, is the answer of Enter, and need not be typed, also later', async () => {
  const staged = await stage();
  const url = await prowlarr();
  const nzbdav = new URL(staged.sandbox.backend.apiUrl).origin;
  await near(staged, [url, nzbdav], async (person) => {
    await person.choose('look');
    const asked = await person.choose(`prowlarr ${url}`);
    expect(asked.rows[0]).toEqual({ id: `prowlarr ${url}`, label: 'Prowlarr', detail: `Found at ${url}` });
    expect(asked.focused).toBeUndefined();
    expect((await person.write(PROWLARR_KEY)).title).toBe('Prowlarr API key');
    const [first] = await firstRows(person, 1);
    expect(first).toEqual({ id: `webdav ${nzbdav}`, label: 'nzbdav', detail: `Found at ${nzbdav}` });
    await person.choose(`webdav ${nzbdav}`);
    expect((await person.write(KEYS.apiKey)).title).toBe('nzbdav API key');
  });
  expect(staged.host.settings).toMatchObject({ prowlarr_url: url, webdav_api_url: nzbdav });
});

test('where another one is chosen, its address begins with what was found', async () => {
  const staged = await stage();
  const url = await prowlarr();
  await near(staged, [url], async (person) => {
    await person.choose('look');
    await person.choose('prowlarr');
    expect(await person.waitFor('text')).toMatchObject({ title: 'Prowlarr address', value: url });
    await person.back();
    // What was chosen before is in view again, until another look has found something.
    expect((await person.choose('look')).focused).toBe('prowlarr');
    expect((await person.waitFor('choice')).focused).toBeUndefined();
  });
});

test('two of a kind are two rows', async () => {
  const staged = await stage();
  const urls = [await prowlarr(), await prowlarr()];
  await near(staged, urls, async (person) => {
    await person.choose('look');
    const rows = await firstRows(person, 2);
    expect(rows.map(({ id }) => id).sort()).toEqual(urls.map((url) => `prowlarr ${url}`).sort());
  });
});

test('AltMount can be set up by each of its ways', async () => {
  const staged = await stage();
  const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
  Object.assign(staged.host.settings, { indexer_url, indexer_api_key });
  const url = await serve((_request, response) => response.end('<title>AltMount</title>'));
  await near(staged, [url], async (person) => {
    await person.choose('here');
    await person.choose('look');
    expect((await firstRows(person, 1))[0]?.id).toBe('newznab');
    await person.choose('newznab');
    await person.choose('other');
    const rows = await firstRows(person, 2);
    expect(rows.map(({ id, label }) => [id, label])).toEqual([
      [`webdav ${url}`, 'AltMount by WebDAV'],
      [`altmount ${url}`, 'AltMount'],
    ]);
  });
});

test('of AIOStreams the person is told where the address is that holds the key', async () => {
  const staged = await stage();
  const { url, addon, close } = await startAioStreams();
  onTestFinished(close);
  const page = `${url}/stremio/configure`;
  await near(staged, [url], async (person) => {
    await person.choose('look');
    const { rows } = await person.choose(`stremio ${page}`);
    expect(rows[0]).toMatchObject({
      label: 'AIOStreams',
      detail: `Found: ${page} shows the address to copy`,
    });
    const asked = await person.write(`${addon}/manifest.json`);
    expect(asked).toMatchObject({ title: 'Stremio add-on', value: '' });
    expect(asked.help).toContain(page);
  });
});

test('the person is told how long it takes, and what stops it; what was found by then is kept', async () => {
  const url = await prowlarr();
  const silent = await serve(() => undefined);
  const staged = await stage({
    onProgress: ({ detail = '' }, { cancel }) => {
      if (detail.includes(url)) cancel();
    },
  });
  await near(staged, [silent, url], async (person) => {
    const offered = await person.choose('look');
    expect(offered.rows.at(-1)?.detail).toBe(`Takes ${SCAN_DURATION_TEXT}, and can be stopped.`);
    expect(await person.choose(`prowlarr ${url}`)).toMatchObject({ title: SEARCH });
  });
  expect(staged.host.progress[0]?.detail).toBe(
    `Takes ${SCAN_DURATION_TEXT}. Back stops it and keeps what was found.`,
  );
});

test('a later look that is stopped forgets nothing; one that is not, what is no longer there', async () => {
  const url = await prowlarr();
  let isStopping = false;
  const staged = await stage({
    onProgress: (_state, { cancel }) => {
      if (isStopping) cancel();
    },
  });
  let isThere = true;
  const changing = await serve((_request, response) =>
    response.end(isThere ? '<title>NZBHydra2</title>' : '<title>Nothing</title>'),
  );
  await near(staged, [url, changing], async (person) => {
    await person.choose('look');
    expect(await firstRows(person, 3)).toMatchObject([{}, {}, { id: 'phone' }]);
    isStopping = true;
    await person.choose('look');
    expect(await firstRows(person, 3)).toMatchObject([{}, {}, { id: 'phone' }]);
    [isStopping, isThere] = [false, false];
    await person.choose('look');
    expect(await firstRows(person, 2)).toMatchObject([{ id: `prowlarr ${url}` }, { id: 'phone' }]);
  });
});
