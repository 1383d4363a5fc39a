import { describe, expect, onTestFinished, test } from 'vitest';
import { resumeKey } from '../../src/library/index.ts';
import { findSubstitute } from '../../src/resolver/substitute.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import type { PendingStream } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { startFileServer } from '../support/file-server.ts';
import { playLink, SINTEL } from './play-link.ts';

const CHOSEN = 'Sintel.2010.1080p.BluRay.x264-DURIAN';
const OTHER = 'Sintel.2010.720p.WEB-DL.H264-INV.mkv';
const SIZE = 300_007;
const TOWER = { kind: 'episode', title: 'Cured Tower', ids: {}, episode: { season: 1, episode: 2 } } as const;

/** An address that gives a file of this name, as services write it: UTF-8, byte by byte. */
async function serverOf(fileName: string, size = SIZE) {
  const name = Buffer.from(fileName).toString('latin1');
  const headers = { 'content-disposition': `inline; filename="${name}"` };
  const files = await startFileServer(size, () => ({ headers }));
  onTestFinished(() => files.close());
  return files;
}

describe.each(['proxy', 'player'] as const)('through the %s', (via) => {
  test('another release that fits is played under its own name, and told', async () => {
    const { url } = await serverOf(OTHER);
    // A tenth of the chosen one's size says nothing against another one.
    const { outcome, told } = await playLink({ url }, { size: 10 * SIZE, via });
    expect(outcome).toMatchObject({ origin: { release: { name: OTHER.slice(0, -4) } } });
    expect(told).toEqual([`Example sent another release than the chosen one: ${OTHER.slice(0, -4)}.`]);
    const { origin } = outcome as PendingStream;
    // The resume point is kept by that name.
    expect(resumeKey(origin?.release ?? release({ name: CHOSEN }), SINTEL)).toEqual(
      resumeKey(release({ name: OTHER.slice(0, -4) }), SINTEL),
    );
    // Nor is its own size known: the list told only that of the chosen one.
    expect(outcome).not.toHaveProperty('origin.release.size');
  });

  test('one whose name has encoded blanks is noticed as well', async () => {
    const { url } = await serverOf(encodeURIComponent('Sintel 2010 720p WEB-DL H264-INV.mkv'));
    const { outcome, told } = await playLink({ url }, { via });
    expect(outcome).toMatchObject({ origin: { release: { name: 'Sintel 2010 720p WEB-DL H264-INV' } } });
    expect(told).toEqual([
      'Example sent another release than the chosen one: Sintel 2010 720p WEB-DL H264-INV.',
    ]);
  });

  test.each([
    ['another film', 'Tears.of.Steel.2012.1080p.BluRay.x264-INV.mkv', SINTEL, CHOSEN],
    ['another year', 'Sintel.2021.1080p.WEB-DL.H264-INV.mkv', SINTEL, CHOSEN],
    [
      'another episode',
      'Cured.Tower.S01E03.720p.WEB-DL.H264-INV.mkv',
      TOWER,
      'Cured.Tower.S01E02.1080p.WEB.H264-BLUE',
    ],
  ])('%s is not played, and is called no damaged release', async (_what, name, request, chosen) => {
    const { url } = await serverOf(name);
    const { outcome, sessions } = await playLink({ url }, { name: chosen, size: 10 * SIZE, request, via });
    expect(outcome).toBeInstanceOf(Unplayable);
    expect(outcome).toMatchObject({ failure: { code: 'NO_VIDEO', broken: false } });
    expect((outcome as Unplayable).failure.explanation.what).toMatch(/sent another one\.$/);
    expect(sessions).toBe(0);
  });
});

test('a name in UTF-8 is the same release', async () => {
  const name = 'Sintel.Ein.Märchen.2010.1080p.BluRay.x264-DURIAN';
  const { url } = await serverOf(`${name}.mkv`);
  const { outcome, told } = await playLink({ url }, { name });
  expect([outcome, told]).toMatchObject([{ stream: { name: `${name}.mkv` } }, []]);
});

test.each([
  'durian-sintel.1080p',
  'drn-sintel1080',
  'durian-sintel.2010.1080p',
  'durian-sintel-1080p',
  'sintel.1080p-durian',
  'sintel.2010.1080p.bluray.x264-durian',
  'sintel-1080p-durian',
  'd-sintel.1080p.bluray.x264',
  'drn-sntl.1080p.x264',
  'durian.sintel.1080p',
  'durian.sintel.2010.1080p.bluray.x264',
  'sintel.1080p.bluray.x264',
  'sintel.2010.1080p.bluray.x264-drn',
  'sintel',
  '00001',
  'movie.1080p',
  'durian-sintel.x264.1080p',
  'sintel.2010.1080p.drn',
  'sintel_1080p_durian',
  'd-sntl-1080p',
  'durian-sintel-bd1080p',
  'durian_sintel_1080p',
  'durian-sin-1080p-rp',
  'durian-sintel.repack.1080p',
  'durian-1080p-sintel',
  '1080p-sintel-durian',
  'durian-sintel.internal.1080p',
  'drn-sintel.720p.x264',
  '54cdd65d74540dfa44',
  'Sintel.2010.1080p.BluRay.x264-DURIAN-Obfuscated',
  'Sintel.2010.1080p.BluRay.x264-DURIAN[site]',
  'Sintel (2010) 1080p BluRay x264 DURIAN',
])('a file called %s passes without a word', async (name) => {
  const asked = { who: 'Example', release: release({ name: CHOSEN }), request: SINTEL };
  expect(await findSubstitute(asked, `${name}.mkv`)).toBeUndefined();
});

test("a name with an archive's password in it is told without that", async () => {
  const asked = { who: 'Example', release: release({ name: CHOSEN }), request: SINTEL };
  const sent = await findSubstitute(asked, OTHER.replace('.mkv', '{{geheim97}}.mkv'));
  expect(sent?.name).toBe(OTHER.replace('.mkv', ''));
});
