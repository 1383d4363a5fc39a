import { describe, expect, test } from 'vitest';
import { ALTMOUNT, COFFEE_RUN, NZBDAV, SPRING, type Title } from '../../../sandbox/index.ts';
import { ARTICLE_BYTES } from '../../../sandbox/provider/articles.ts';
import { rootOrSkip } from '../../../tools/debian-root/index.ts';
import { type Stage, type StageOptions, stage } from '../slipstream.ts';

const root = await rootOrSkip('what a film costs in a real Kodi 21');

const LINE = { connections: 10, roundTrip: 30 };
const MIB = 1024 * 1024;
/** Bytes of Spring per second. */
const SPRING_RATE = 1e6;
const PATIENCE = 40_000;

/** Kodi plays a film from a server that fetches each GET over a slow line. */
async function playOver(title: Title, megabits: number, options: StageOptions = {}): Promise<Stage> {
  const s = await stage(root!, { ...options, provider: { ...LINE, megabits } });
  const query = { type: title.kind, title: title.title, year: String(title.year), imdb: title.imdb };
  await s.open(`/play?${new URLSearchParams(query).toString()}`);
  await isBeyond(s, 1);
  return s;
}

const position = async ({ kodi }: Stage) => (await kodi.player.position()) ?? 0;

const isBeyond = (s: Stage, seconds: number) =>
  s.kodi.until(
    `the time is beyond ${seconds} s`,
    async () => (await position(s)) > seconds || undefined,
    PATIENCE,
  );

const gets = ({ sandbox }: Stage) =>
  sandbox.requests.filter(({ service, method }) => service === 'webdav' && method === 'GET');

describe.skipIf(!root)('a film over a slow line', () => {
  test('a lost article is bridged before the picture gets there', async () => {
    const s = await playOver(SPRING, 50, { dialect: NZBDAV });
    const [target, ahead] = [200, 12];
    const article = Math.floor(((target + ahead) * SPRING_RATE) / ARTICLE_BYTES);
    const hole = { from: article * ARTICLE_BYTES, to: (article + 1) * ARTICLE_BYTES };
    s.sandbox.faults.missing = hole;
    await s.kodi.player.seek(target);
    await isBeyond(s, target);
    const covers = async () =>
      (await s.sessions())[0]!.fills.some(({ first, last }) => first <= hole.from && last >= hole.to - 1);
    await s.kodi.until('it is bridged', async () => (await covers()) || undefined);
    expect(await position(s)).toBeLessThan(target + ahead - 1);
    await isBeyond(s, target + ahead + 3);
  });

  test('a small seek back asks the server for nothing', async () => {
    const s = await playOver(COFFEE_RUN, 50);
    await s.kodi.until(
      'much of the film is kept behind the player',
      async () => {
        const { used, ahead } = (await s.sessions())[0]!.buffer;
        // In the long run it is 25 or 26 MiB; 17 of them are before the picture still.
        return used - ahead >= 25 * MIB || undefined;
      },
      3 * PATIENCE,
    );
    const requests = async () => (await s.sessions())[0]!.counters.requests;
    const [asked, before, from] = [gets(s).length, await requests(), await position(s)];
    // 5 MiB before the picture: Kodi itself keeps 3 there, the proxy 8.
    await s.kodi.player.seek(from - 10);
    await s.kodi.until('it has landed', async () => (await position(s)) < from - 5 || undefined);
    await isBeyond(s, from + 1);
    expect(await requests(), "it was served from Kodi's own memory").toBeGreaterThan(before);
    expect(gets(s).slice(asked)).toEqual([]);
  });

  test.each([20, 50])('AltMount cuts no body on a line of %i Mbit/s', async (megabits) => {
    const s = await playOver(SPRING, megabits, { dialect: ALTMOUNT });
    await isBeyond(s, 20);
    expect(s.sandbox.provider!.gets.filter(({ isCut }) => isCut === true)).toEqual([]);
  });
});
