import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { directStreamBackend } from '../../src/backends/direct-stream/index.ts';
import { openBrokenReleases, resumeKey } from '../../src/library/index.ts';
import { redact } from '../../src/log/index.ts';
import type { Playable } from '../../src/model/index.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import {
  parsePlan,
  playingReleaseOf,
  type ResolveContext,
  resolver,
  type StreamOrigin,
} from '../../src/resolver.ts';
import { rememberBroken } from '../../src/service/remember-broken.ts';
import { CALM, judgedNzbFor } from '../backends/direct-stream/lab.ts';
import { FILM, FILM_RELEASE } from '../backends/labs.ts';
import { startFileServer } from '../support/file-server.ts';
import { serve } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';
import { requestProxy, startTestProxy } from '../support/proxy.ts';
import { recordingHost } from '../support/recording-host.ts';

// A service that was given an NZB and plays another release, as StreamNZB's failover does (protocols.md §8.11).

const OTHER = 'Big.Buck.Bunny.2008.1080p.WEB-DL.H264-INV';
/** Far less than the chosen one has. */
const SIZE = 300_007;

interface Sending {
  readonly name?: string;
  /** Bytes of the chosen one. */
  readonly size?: number;
  /** Only its start can be read. */
  readonly isDamaged?: boolean;
  /** Not even that is a video's. */
  readonly isNoise?: boolean;
}

async function playSent(
  via: Playable['via'],
  { name = OTHER, size, isDamaged = false, isNoise = false }: Sending = {},
) {
  const files = await startFileServer(SIZE, ({ first }) => ({
    headers: { 'content-disposition': `inline; filename="${name}.mkv"` },
    ...(isDamaged && first > 0 && { status: 404 }),
    ...(isNoise && { bytes: { first: 5_000, last: 5_000 + SIZE } }),
  }));
  const url = await serve((request, response) => {
    request.resume();
    response.end(JSON.stringify({ play_path: files.url }));
  });
  const proxy = await startTestProxy();
  onTestFinished(async () => {
    await proxy.close();
    await files.close();
  });
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  const log = memoryLog();
  const nzb = await judgedNzbFor(FILM_RELEASE);
  const chosen = { ...nzb.release, ...(size !== undefined && { size }) };
  const done = () => Promise.resolve();
  const told: string[] = [];
  const context = {
    backend: directStreamBackend({ kind: 'streamnzb', url, apiKey: 'k', via }, log, CALM),
    progress: { update: done, printLine: (words: string) => told.push(words) },
    ledger: {
      enter: () => Promise.resolve({ markSubmitted: done, markPlaying: done, remove: done, abandon: done }),
    },
    properties,
    log,
    signal: new AbortController().signal,
    timeout: 5_000,
    plan: (playing?: StreamOrigin) => ({
      request: FILM,
      backend: 'b',
      releases: [],
      ...(playing !== undefined && { playing: playingReleaseOf(playing) }),
    }),
  } as unknown as ResolveContext;
  const stages = { ...resolver, fetchNzb: () => Promise.resolve({ ...nzb, release: chosen }) };
  const outcome = await stages
    .resolveRelease({ kind: 'found', release: chosen }, FILM, context, stages)
    .catch((error: unknown) => error as Error);
  return { outcome, told, proxy, chosen, lines: log.lines };
}

test.each(['proxy', 'player'] as const)(
  'by the %s: another release that fits plays under its own name, however small it is',
  async (via) => {
    const { outcome, told, chosen } = await playSent(via);
    expect(outcome).toMatchObject({ stream: { size: SIZE }, origin: { release: { name: OTHER } } });
    expect(told).toEqual([`StreamNZB sent another release than the chosen one: ${OTHER}.`]);
    const { origin } = outcome as { origin: StreamOrigin };
    expect(resumeKey(origin.release, FILM)).not.toEqual(resumeKey(chosen, FILM));
    expect(origin.release.size).toBeUndefined();
  },
);

test.each(['proxy', 'player'] as const)(
  'by the %s: one that does not fit is no damaged release',
  async (via) => {
    const { outcome, proxy } = await playSent(via, { name: 'Sintel.2010.1080p.WEB-DL.H264-INV' });
    expect(outcome).toBeInstanceOf(Unplayable);
    expect(outcome).toMatchObject({ failure: { code: 'NO_VIDEO', broken: false } });
    expect((outcome as Unplayable).failure.explanation.what).toMatch(/sent another one\.$/);
    expect(proxy.sessions()).toEqual([]);
  },
);

test.each([
  ['the chosen one is damaged where its middle', FILM_RELEASE.name, { code: 'DAMAGED', broken: true }],
  [
    'the chosen one is not damaged where the middle of another one',
    OTHER,
    { code: 'NO_VIDEO', broken: false },
  ],
])('by the player: %s is missing', async (_what, name, failure) => {
  const { outcome } = await playSent('player', { name, size: SIZE, isDamaged: true });
  expect(outcome).toMatchObject({ failure });
});

test.each([
  ['the chosen one is damaged where it', FILM_RELEASE.name, { code: 'DAMAGED', broken: true }],
  ['the chosen one is not damaged where another one', OTHER, { code: 'NO_VIDEO', broken: false }],
])('by the proxy: %s begins as no video does', async (_what, name, failure) => {
  const { outcome, proxy } = await playSent('proxy', { name, size: SIZE, isNoise: true });
  expect(outcome).toMatchObject({ failure });
  expect(proxy.sessions()).toEqual([]);
});

test('what breaks off is remembered as the release that has played', async () => {
  const { proxy, chosen } = await playSent('proxy');
  const id = proxy.sessions()[0]?.id ?? '';
  // The engine that replaces this one knows it as well.
  expect(JSON.stringify(proxy.snapshot())).toContain(`"playing":{"release":{"name":"${OTHER}"`);
  const plan = parsePlan(proxy.takePlan(id));
  if (plan === undefined) throw new Error('there is no plan');
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  await rememberBroken(plan, folder, memoryLog());
  const broken = await openBrokenReleases(FILM, 'b', { folder, log: memoryLog() });
  const other = { ...chosen, name: OTHER, size: SIZE };
  expect([broken.failedAt(chosen), broken.failedAt(other)]).toEqual([undefined, expect.any(Number)]);
});

test('where the chosen one plays, it is that which is remembered', async () => {
  const { proxy, told, chosen } = await playSent('proxy', { name: 'bbb-480p', size: SIZE });
  const plan = parsePlan(proxy.takePlan(proxy.sessions()[0]?.id ?? ''));
  expect([told, plan?.playing?.release.name]).toEqual([[], chosen.name]);
});

test.each(['{{geheim99}}', ' {{geheim99', ' password=geheim99'])(
  "an archive's password in the name of what came is nowhere: %s",
  async (told) => {
    const sent = await playSent('proxy', { name: `${OTHER}${told}` });
    const { proxy } = sent;
    const { status, body } = await requestProxy(`http://127.0.0.1:${proxy.port}/status`, {
      headers: { authorization: `Bearer ${proxy.token}` },
    });
    expect([status, body.toString()]).toEqual([200, expect.stringContaining(OTHER)]);
    const seen = [sent.outcome, sent.told, sent.lines, proxy.snapshot(), proxy.lines, body.toString()];
    expect(JSON.stringify(seen)).toContain(`"name":"${OTHER}.mkv"`);
    expect(JSON.stringify(seen)).not.toContain('geheim99');
    expect(redact('of geheim99')).toBe('of ***');
  },
);

test.each(['proxy', 'player'] as const)(
  'by the %s: nor is one in the message about what does not fit',
  async (via) => {
    const { outcome, lines } = await playSent(via, { name: 'Tears.of.Steel.2012.1080p.WEB-A{{geheim98}}' });
    expect(outcome).toMatchObject({ failure: { code: 'NO_VIDEO' } });
    expect((outcome as Unplayable).message).toContain('Tears.of.Steel');
    expect(`${inspect(outcome)} ${lines.join(' ')}`).not.toContain('geheim98');
  },
);
