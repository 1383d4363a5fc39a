import { describe, expect, onTestFinished, test } from 'vitest';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import { type AnswerPlan, startFileServer } from '../support/file-server.ts';
import { serve } from '../support/http-server.ts';
import { playLink } from './play-link.ts';

const SIZE = 300_007;

/** Plays a link whose server answers the proxy's request as `plan` says. */
async function resolve(plan: AnswerPlan, { withProxy = true } = {}): Promise<unknown> {
  const files = await startFileServer(SIZE, () => plan);
  onTestFinished(() => files.close());
  const link = { url: files.url, headers: { 'X-Key': 'k' } };
  return (await playLink(link, { name: 'Sintel.2010.1080p', withProxy })).outcome;
}

describe('a link that plays by itself', () => {
  test('goes through the proxy', async () => {
    expect(await resolve({})).toMatchObject({ stream: { size: SIZE } });
  });

  test.each<[string, AnswerPlan, string]>([
    ['is in trouble', { status: 503 }, 'SERVICE_ERROR'],
    ['is gone', { dropAfter: -1 }, 'UNREACHABLE'],
    ['refuses', { status: 403 }, 'AUTH_FAILED'],
    ['does not know it', { status: 404 }, 'PREPARE_FAILED'],
  ])('is followed by the next release when its server %s', async (_, plan, code) => {
    const outcome = await resolve(plan);
    expect(outcome).toBeInstanceOf(Unplayable);
    expect(outcome).toMatchObject({ failure: { code } });
  });

  test('is not followed when the proxy is absent', async () => {
    expect(await resolve({}, { withProxy: false })).toMatchObject({ code: 'PROXY_ABSENT' });
  });
});

describe.each(['proxy', 'player'] as const)('of a post that is half par2 files, by the %s,', (via) => {
  test.each([
    ['the film plays where its row tells its size', SIZE, { stream: { size: SIZE } }],
    ['a part of it does not', 2 * SIZE, { failure: { code: 'DAMAGED' } }],
  ])('%s', async (_what, videoSize, outcome) => {
    const files = await startFileServer(SIZE, () => ({}));
    onTestFinished(() => files.close());
    expect((await playLink({ url: files.url, videoSize }, { via, size: 2.5 * SIZE })).outcome).toMatchObject(
      outcome,
    );
  });
});

describe('a stream of StreamNZB, which opens no encrypted archive', () => {
  /** What is asked for where the release also has an NZB. */
  async function asked(password?: string, others = ['/nzb']) {
    const paths: string[] = [];
    const base = await serve((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(404).end();
    });
    const link = { url: `${base}/play`, service: 'streamnzb' } as const;
    await playLink(link, {
      ...(password !== undefined && { password }),
      others: others.map((path) => ({ url: `${base}${path}`, guid: '2' })),
    });
    return paths;
  }

  test('is left for the NZB of a release whose password is known', async () => {
    expect(await asked('open sesame')).toEqual(['/nzb']);
  });

  test('is opened where there is no password, or nothing else', async () => {
    expect([await asked(), await asked('open sesame', [])]).toEqual([['/play'], ['/play']]);
  });
});
