import { afterEach, describe, expect, it } from 'vitest';
import {
  ALTMOUNT,
  CATALOGUE,
  type Dialect,
  NZBDAV,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../../sandbox/index.ts';
import { client, named, received } from '../support/client.ts';

const NAME = 'Sintel.2010.1080p.BluRay.DTS.x264-ISHTAR';
const MIB = 1024 * 1024;

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** A sandbox with a film on its share; gives how to GET ranges of it. */
async function start(dialect: Dialect, provider?: SandboxOptions['provider']) {
  sandbox = await startSandbox({ dialect, jobDuration: 0, ...(provider && { provider }) });
  const ask = client(sandbox);
  const body = new FormData();
  body.append('nzbfile', new Blob([await ask.nzb(named(CATALOGUE, NAME).guid)]), `${NAME}.nzb`);
  const category = dialect === ALTMOUNT ? 'Movies' : 'movies';
  const query = `mode=addfile&cat=${category}&apikey=${encodeURIComponent(sandbox.backend.apiKey)}`;
  await fetch(`${sandbox.backend.apiUrl}${dialect.apiPath}?${query}`, { method: 'POST', body });
  const path = `${dialect.sharePath}/${dialect.completeFolder}/${category}/${NAME}/${NAME}.mkv`;
  const range = (wanted: string, signal?: AbortSignal) =>
    ask.dav(path, { headers: { range: `bytes=${wanted}` }, ...(signal && { signal }) });
  return { clip: sandbox.clipOf(path)!, range };
}

const FAST = { connections: 10, roundTrip: 5, megabits: 400 };

describe('a sandbox with a line to its provider', () => {
  it('has none unless it is told to', async () => {
    const { range } = await start(NZBDAV);
    expect((await received(await range('0-99'))).bytes).toHaveLength(100);
    expect(sandbox.provider).toBeUndefined();
  });

  it('sends the same bytes, the head with the first of them', async () => {
    const { range, clip } = await start(NZBDAV, FAST);
    const asked = performance.now();
    const answer = await range('1000000-4000000');
    // Ten articles at 50 MB/s, of which each connection has its share: the first is there with the others.
    expect(performance.now() - asked).toBeGreaterThan(100);
    const { bytes, failed } = await received(answer);
    expect(failed).toBe(false);
    expect(bytes.equals(clip.read(1_000_000, 4_000_001))).toBe(true);
  });

  it('reads ahead for a player that leaves, and tells what that has cost', async () => {
    const { range } = await start(NZBDAV, FAST);
    const leaving = new AbortController();
    const answer = await range('0-', leaving.signal);
    await answer.body!.getReader().read();
    leaving.abort();
    await expect.poll(() => sandbox.provider!.gets[0]!.closed).toBeDefined();
    const { asked } = sandbox.provider!.articles();
    expect(asked).toBeGreaterThanOrEqual(11);
    await expect.poll(() => sandbox.provider!.fetches.every(({ state }) => state === 'whole')).toBe(true);
    expect(sandbox.provider!.articles()).toMatchObject({ asked, different: asked });
    await (await range('0-99')).arrayBuffer();
    expect(sandbox.provider!.articles().asked).toBeGreaterThan(sandbox.provider!.articles().different);
    expect(sandbox.provider!.articlesBehind(`${NAME}.mkv`, 4 * 716_800)).toBe(
      sandbox.provider!.articles().different - 4,
    );
  });

  it('holds a reader that pauses at 66 articles', async () => {
    const { range } = await start(NZBDAV, FAST);
    const leaving = new AbortController();
    const answer = await range('0-', leaving.signal);
    const count = () => sandbox.provider!.articles().asked;
    const isStill = () => sandbox.provider!.fetches.every(({ state }) => state === 'whole');
    await expect.poll(() => isStill() && count()).toBeGreaterThanOrEqual(58);
    // How much the sockets take is the system's choice.
    expect(count()).toBeLessThanOrEqual(75);
    leaving.abort();
    await answer.body!.cancel().catch(() => undefined);
  });

  it('fetches for AltMount no more than a range, and sends it whole', async () => {
    const { range, clip } = await start(ALTMOUNT, FAST);
    const { bytes } = await received(await range(`${MIB}-${3 * MIB - 1}`));
    expect(bytes.equals(clip.read(MIB, 3 * MIB))).toBe(true);
    expect(sandbox.provider!.articles()).toMatchObject({ asked: 4, different: 4 });
  });

  it('cuts an open-ended body of AltMount, hard, where an article has waited too long', async () => {
    const { range } = await start(ALTMOUNT, { connections: 10, roundTrip: 2500, megabits: 400 });
    const { bytes, failed } = await received(await range('0-'));
    expect(failed).toBe(true);
    expect(bytes.length).toBe(3 * 716_800);
    expect(sandbox.provider!.gets).toMatchObject([{ isCut: true }]);
  });
});
