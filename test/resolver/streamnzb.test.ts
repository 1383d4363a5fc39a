import { expect, onTestFinished, test } from 'vitest';
import { startDirectStream } from '../../sandbox/direct-stream/index.ts';
import { directStreamBackend } from '../../src/backends/direct-stream/index.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { CALM, judgedNzbFor } from '../backends/direct-stream/lab.ts';
import { FILM, FILM_RELEASE, released } from '../backends/labs.ts';
import { memoryLog } from '../support/log.ts';
import { startTestProxy } from '../support/proxy.ts';
import { recordingHost } from '../support/recording-host.ts';

// What a play by StreamNZB shows, and what it says where the stream cannot be opened: whoever opens it.

const KEY = 'key-3ac19d';
const DEAD = released('Big.Buck.Bunny.2008.1080p.BluRay.REMUX.AVC-GONE');

async function setUp(via: 'proxy' | 'player', post = FILM_RELEASE) {
  const sandbox = await startDirectStream('streamnzb', { apiKey: KEY, jobDuration: 40 });
  const proxy = await startTestProxy();
  onTestFinished(async () => {
    await proxy.close();
    await sandbox.close();
  });
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  const log = memoryLog();
  const stages: string[] = [];
  const nzb = await judgedNzbFor(post);
  const done = () => Promise.resolve();
  const entry = { markSubmitted: done, markPlaying: done, remove: done, abandon: done };
  const context = {
    backend: directStreamBackend({ kind: 'streamnzb', url: sandbox.url, apiKey: KEY, via }, log, CALM),
    progress: { update: ({ stage }: { stage: string }) => Promise.resolve(stages.push(stage)) },
    ledger: { enter: () => Promise.resolve(entry) },
    properties,
    log,
    signal: new AbortController().signal,
    timeout: 5_000,
  } as unknown as ResolveContext;
  const own = { ...resolver, fetchNzb: () => Promise.resolve(nzb) };
  const play = () => own.resolveRelease({ kind: 'found', release: nzb.release }, FILM, context, own);
  const asked = (path: string) => sandbox.requests.filter((request) => request.path.startsWith(path)).length;
  return { sandbox, play, stages, asked };
}

const failureOf = async (play: Promise<unknown>) => {
  const error: unknown = await play.then(
    () => expect.fail('it plays'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Unplayable);
  return (error as Unplayable).failure;
};

test.each(['proxy', 'player'] as const)('by the %s: it is opened, not downloaded', async (via) => {
  const { play, stages } = await setUp(via);
  expect((await play()).stream).toMatchObject({ size: 240_000_000 });
  expect(stages).toContain('Opening with StreamNZB');
  expect(stages.join()).not.toContain('Downloading');
});

test.each(['proxy', 'player'] as const)(
  'by the %s: the reason is asked for once, and ends the message',
  async (via) => {
    const { play, asked } = await setUp(via, DEAD);
    const { code, explanation } = await failureOf(play());
    expect(code).toBe('JOB_FAILED');
    expect(explanation.what).toMatch(/^StreamNZB shows .+\. It says: .*not found\.$/);
    expect([asked('/api/nzb-attempts'), asked('/api/play/nzb')]).toEqual([1, 1]);
  },
);

test.each(['proxy', 'player'] as const)(
  'by the %s: who was late for the limit of a start is tried once more',
  async (via) => {
    const { play, sandbox, asked } = await setUp(via);
    sandbox.faults.lateStarts = 1;
    expect((await play()).stream).toMatchObject({ size: 240_000_000 });
    expect(asked('/api/play/nzb')).toBe(2);
    sandbox.faults.lateStarts = 9;
    const { explanation } = await failureOf(play());
    expect(explanation.what).toMatch(/It says: playback startup timeout during probe after 5s/);
    expect(asked('/api/play/nzb')).toBe(4);
  },
);

test('who does not tell the reason is not waited for', async () => {
  const { play, sandbox } = await setUp('player', DEAD);
  sandbox.faults.api.push({ kind: 'status', status: 404, when: ({ path }) => path === '/api/nzb-attempts' });
  const { explanation } = await failureOf(play());
  expect(explanation.what).toMatch(/^StreamNZB shows a notice instead of the film/);
  expect(explanation.what).not.toContain('It says');
});
