import { expect, onTestFinished, test } from 'vitest';
import { startDirectStream } from '../../sandbox/direct-stream/index.ts';
import type { CatalogueRelease } from '../../sandbox/index.ts';
import type { Nzb } from '../../src/backends/backend.ts';
import { directStreamBackend } from '../../src/backends/direct-stream/index.ts';
import { resumeKey } from '../../src/library/index.ts';
import type { Playable } from '../../src/model/index.ts';
import { withoutJobSuffix } from '../../src/resolver/job-name.ts';
import { receivedRelease } from '../../src/resolver/open-stream.ts';
import type { PendingStream } from '../../src/resolver.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { CALM, judgedNzbFor } from '../backends/direct-stream/lab.ts';
import { FILM, FILM_RELEASE } from '../backends/labs.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';
import { startTestProxy } from '../support/proxy.ts';
import { recordingHost } from '../support/recording-host.ts';

// AltMount calls a lone file as its job, which ends in eight digits of ours: they read like a group's name.

const KEY = 'key-77c0de';
const SIZE = 240_000_000;

const releasedAs = (name: string): CatalogueRelease => ({
  ...FILM_RELEASE,
  guid: 'b1d7a2c0-0000-4000-8000-00000000c0de',
  name,
  videos: FILM_RELEASE.videos.map((video) => ({ ...video, path: '5be1c9a07d.mkv' })),
});

/** Plays a post of this name, of which something else may be known than what was posted. */
async function play(via: Playable['via'], name: string, known: (nzb: Nzb) => Nzb = (nzb) => nzb) {
  const post = releasedAs(name);
  const sandbox = await startDirectStream('altmount', { apiKey: KEY, jobDuration: 40, posts: [post] });
  const proxy = await startTestProxy();
  onTestFinished(async () => {
    await proxy.close();
    await sandbox.close();
  });
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  const log = memoryLog();
  const nzb = known(await judgedNzbFor(post));
  const told: string[] = [];
  const done = () => Promise.resolve();
  const context = {
    backend: directStreamBackend({ kind: 'altmount', url: sandbox.url, apiKey: KEY, via }, log, CALM),
    progress: { update: done, printLine: (words: string) => told.push(words) },
    ledger: {
      enter: () => Promise.resolve({ markSubmitted: done, markPlaying: done, remove: done, abandon: done }),
    },
    properties,
    log,
    signal: new AbortController().signal,
    timeout: 5_000,
  } as unknown as ResolveContext;
  const stages = { ...resolver, fetchNzb: () => Promise.resolve(nzb) };
  const outcome = await stages
    .resolveRelease({ kind: 'found', release: nzb.release }, FILM, context, stages)
    .catch((error: unknown) => error as Error);
  return { outcome, told, chosen: nzb.release, jobs: sandbox.jobs() };
}

const WAYS = ['proxy', 'player'] as const;

test.each(
  [
    'x264-2INV',
    'x264-3Inv',
    'x264.INVY',
    '[IN.VE]',
    '[INVY]',
    'x264-INV[invtv]',
    'x264-INV.Obfuscated',
    'x264.Custom-INV',
    'x264-I-N0V3',
    `${'a.very.long.name.'.repeat(12)}x264-INV`,
  ].flatMap((end) => WAYS.map((via) => [end, via] as const)),
)('a file that AltMount calls as the job of %s is the chosen release, by the %s', async (end, via) => {
  const { outcome, told, chosen, jobs } = await play(via, `Big.Buck.Bunny.2008.480p.DVDRip.${end}`);
  expect(outcome).toMatchObject({ stream: { size: SIZE }, origin: { release: { name: chosen.name } } });
  const { origin, stream } = outcome as PendingStream;
  // Else nothing is shown here.
  expect(via === 'proxy' ? stream.name : new URL(stream.url).searchParams.get('path')).toContain(
    `${jobs[0]?.name ?? ''}.mkv`,
  );
  expect([told, resumeKey(origin?.release ?? chosen, FILM)]).toEqual([[], resumeKey(chosen, FILM)]);
});

test.each(
  [
    ['75 % of what the NZB holds', (nzb: Nzb): Nzb => ({ ...nzb, videoBytes: 2 * SIZE })],
    [
      'what the release should have',
      (nzb: Nzb): Nzb => ({ ...nzb, release: { ...nzb.release, size: 30 * SIZE } }),
    ],
  ].flatMap((row) => WAYS.map((via) => [...row, via] as const)) as [
    string,
    (nzb: Nzb) => Nzb,
    Playable['via'],
  ][],
)('and one that is far smaller than %s is refused', async (_what, known, via) => {
  const { outcome } = await play(via, 'Big.Buck.Bunny.2008.480p.DVDRip.x264-2INV', known);
  expect(outcome).toMatchObject({ failure: { code: 'DAMAGED' } });
});

test('eight digits of ours are no date of a broadcast', async () => {
  const chosen = release({ name: 'Cured.Tower.720p.WEB.x264-INV' });
  const episode = { season: 1, episode: 2, aired: '2019-03-05' };
  const request = { kind: 'episode', title: 'Cured Tower', ids: {}, episode } as const;
  const jobName = `${chosen.name}-20190304`;
  const came = { name: `${jobName}.mkv`, size: 300_007 };
  expect(await receivedRelease({ who: 'AltMount', release: chosen, request, jobName }, came)).toBe(chosen);
});

test.each([
  ['Sintel.2010.x264-2INV-1a2b3c4d.mkv', 'Sintel.2010.x264-2INV-1a2b3c4d', 'Sintel.2010.x264-2INV.mkv'],
  ['Sintel.2010.x264-2INV-1a2b3c4d_1.mp4', 'Sintel.2010.x264-2INV-1a2b3c4d', 'Sintel.2010.x264-2INV_1.mp4'],
  ['Sintel.2010.x264-2INV-1a2b3c4e.mkv', 'Sintel.2010.x264-2INV-1a2b3c4d', undefined],
  ['Sintel.2010.mkv', 'Sintel.2010', undefined],
  ['Sintel.2010.mkv', '', undefined],
])('%s of the job %j is called %j', (file, job, name) => {
  expect(withoutJobSuffix(file, job)).toBe(name);
});
