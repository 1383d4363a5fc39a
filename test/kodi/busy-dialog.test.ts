import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whenQuery } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('the busy dialog in a real Kodi 21');

const BIG_BUCK_BUNNY = 'type=movie&title=Big%20Buck%20Bunny&year=2008&imdb=tt1254207';

const plays = ({ kodi }: Stage) =>
  kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);

/** The address of a film that comes a byte at a time: Kodi opens it for minutes. */
async function trickle(): Promise<string> {
  const server = createServer(({ method }, response) => {
    response.writeHead(200, { 'content-type': 'video/x-matroska', 'content-length': 1e9 });
    if (method === 'HEAD') {
      response.end();
      return;
    }
    response.write(Buffer.from('1a45dfa3', 'hex'));
    const drops = setInterval(() => response.write(Buffer.alloc(1)), 500);
    response.on('close', () => {
      clearInterval(drops);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/Sintel.mkv`;
}

// Kodi 21 aborts itself ("two concurrent busydialogs") when a second plugin:// open overlaps a first one, or meets its
// own failure box. Each of these is one of the ways there.
describe.skipIf(!root)('nothing of ours makes Kodi abort itself', () => {
  test('two plays at once: the second is refused, the first goes on', async () => {
    const s = await stage(root!, { jobDuration: 1500 });
    await s.open(`/play?${SINTEL}`);
    await s.open(`/play?${BIG_BUCK_BUNNY}`);
    await s.open(`/play?${BIG_BUCK_BUNNY}`);
    await plays(s);
    expect(await s.kodi.homeProperty('svc.stream_url')).toContain('Sintel');
    expect(await s.kodi.log()).not.toContain('concurrent busydialogs');
  });

  test('a play while the script path is starting one', async () => {
    const s = await stage(root!, { jobDuration: 1500 });
    await s.kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
    await s.kodi.until('the script runs', () => Promise.resolve(s.engines('plugin').length > 0 || undefined));
    await s.open(`/play?${BIG_BUCK_BUNNY}`);
    await plays(s);
    expect(await s.kodi.homeProperty('svc.stream_url')).toContain('Sintel');
  });

  test('plays while Kodi still opens the film that was handed over', async () => {
    const s = await stage(root!);
    // The first picture needs more than what the proxy has proven.
    s.sandbox.faults.webdav.push({
      kind: 'slow',
      milliseconds: 1500,
      when: ({ method }) => method === 'GET',
    });
    await s.open(`/play?${SINTEL}`);
    await s.kodi.until(
      'it is handed over',
      async () => (await s.kodi.homeProperty('svc.stream_url')) || undefined,
    );
    for (let round = 0; round < 3; round++) await s.open(`/play?${BIG_BUCK_BUNNY}`);
    await plays(s);
    expect(await s.kodi.homeProperty('svc.stream_url')).toContain('Sintel');
  });

  test('a play while Kodi has been opening a film for longer than the first lease of its playback lock', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    const lock = async () => (await kodi.homeProperty('slipstream.starting')).split(' ');
    // As the plugin process leaves it when it hands a film over. The clock is the one of Python's time.monotonic().
    const end = process.hrtime()[0] + 5;
    await kodi.builtin(`SetProperty(slipstream.starting,opening ${end},home)`);
    // Answered once the film is open, which it never is.
    kodi.rpc('Player.Open', { item: { file: await trickle() } }).catch(() => undefined);
    await kodi.until('the lease is over', () => Promise.resolve(process.hrtime()[0] > end + 1 || undefined));
    for (let round = 0; round < 3; round++) await s.open(`/play?${SINTEL}`);
    expect((await lock())[0]).toBe('opening');
    expect(s.sandbox.requests).toEqual([]);
    expect(s.engines('plugin')).toEqual([]);
    expect(await kodi.log()).not.toContain('concurrent busydialogs');
  });

  test('plays while Kodi opens a stream once more, of which it tells no add-on', async () => {
    const s = await stage(root!);
    const { kodi, sandbox } = s;
    const lock = () => kodi.homeProperty('slipstream.starting');
    await s.open(`/play?${SINTEL}`);
    await plays(s);
    const url = await kodi.homeProperty('svc.stream_url');
    await kodi.player.stop();
    await s.nothingLeft();
    await kodi.until('no film opens', async () => (await lock()) === '' || undefined);
    const { length } = sandbox.requests;
    sandbox.faults.webdav.push({ kind: 'slow', milliseconds: 8000, when: ({ method }) => method === 'GET' });
    // Answered once the film is open.
    const opening = kodi.rpc('Player.Open', { item: { file: url } });
    await kodi.until('it is opened', async () => (await lock()).startsWith('opening ') || undefined);
    expect(await kodi.isActive('extendedprogressdialog')).toBe(true);
    for (let round = 0; round < 3; round++) await s.open(`/play?${BIG_BUCK_BUNNY}`);
    sandbox.faults.webdav.length = 0;
    await opening;
    await plays(s);
    expect(await kodi.homeProperty('svc.stream_url')).toBe(url);
    expect(sandbox.requests.slice(length).filter(({ service }) => service === 'indexer')).toEqual([]);
    expect(await kodi.log()).not.toContain('concurrent busydialogs');
    await kodi.until('the next may start', async () => (await lock()) === '' || undefined);
    expect(await kodi.isActive('extendedprogressdialog')).toBe(false);
  });

  test('failed plays, each followed at once by another', async () => {
    const s = await stage(root!);
    s.sandbox.faults.search = 'empty';
    for (let round = 0; round < 6; round++) {
      await s.open(`/play?${SINTEL}`);
      await s.kodi.until('it has come and gone', () =>
        Promise.resolve(s.engines('plugin').length === 0 || undefined),
      );
    }
    delete s.sandbox.faults.search;
    await s.kodi.until(
      'none is pending',
      async () => (await s.kodi.homeProperty('slipstream.starting')) === '' || undefined,
    );
    await s.open(`/play?${SINTEL}`);
    await plays(s);
  });

  test("plays while Kodi's failure box is up are refused, and begin when it is closed", async () => {
    const s = await stage(root!);
    const { kodi } = s;
    // An item that Kodi cannot open at all raises the box.
    await kodi.rpc('Player.Open', { item: { file: 'http://127.0.0.1:9/nothing.mkv' } });
    const boxIsUp = () => kodi.isActive('okdialog');
    await kodi.until('the failure box is up', async () => (await boxIsUp()) || undefined);
    await kodi.until(
      'the service knows',
      async () => (await kodi.homeProperty('slipstream.failure-box')) || undefined,
    );
    await s.open(`/play?${SINTEL}`);
    await s.open(`/play?${SINTEL}`);
    expect(s.sandbox.requests).toEqual([]);
    await kodi.rpc('Input.Back');
    await kodi.until('the box is gone', async () => !(await boxIsUp()) || undefined);
    await plays(s);
    expect(await kodi.homeProperty('svc.stream_url')).toContain('Sintel');
  });

  test('a play during a hung search is refused, and Back still ends the first', async () => {
    const s = await stage(root!);
    s.sandbox.faults.indexer.push({ kind: 'hang', when: whenQuery('t', 'movie') });
    await s.open(`/play?${SINTEL}`);
    await s.kodi.until('it searches', () => Promise.resolve(s.sandbox.requests.length > 0 || undefined));
    await s.windowIsUp();
    await s.open(`/play?${BIG_BUCK_BUNNY}`);
    await s.kodi.rpc('Input.Back');
    await s.nothingLeft();
  });
});
