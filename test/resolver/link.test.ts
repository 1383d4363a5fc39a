import { describe, expect, onTestFinished, test } from 'vitest';
import { Unplayable } from '../../src/resolver/resolve.ts';
import { type Plan, startFileServer } from '../support/file-server.ts';
import { playLink } from './play-link.ts';

const SIZE = 300_007;

/** Plays a link whose server answers the proxy's request as `plan` says. */
async function resolve(plan: Plan, { withProxy = true } = {}): Promise<unknown> {
  const files = await startFileServer(SIZE, () => plan);
  onTestFinished(() => files.close());
  const link = { url: files.url, headers: { 'X-Key': 'k' } };
  return (await playLink(link, { name: 'Sintel.2010.1080p', withProxy })).outcome;
}

describe('a link that plays by itself', () => {
  test('goes through the proxy', async () => {
    expect(await resolve({})).toMatchObject({ stream: { size: SIZE } });
  });

  test.each<[string, Plan, string]>([
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
