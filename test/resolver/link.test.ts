import { describe, expect, onTestFinished, test } from 'vitest';
import { Unplayable } from '../../src/resolver/resolve.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { type Plan, startFileServer } from '../support/file-server.ts';
import { memoryLog } from '../support/log.ts';
import { startTestProxy } from '../support/proxy.ts';
import { recordingHost } from '../support/recording-host.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', ids: {} } as const;
const SIZE = 300_007;

/** Plays a link whose server answers the proxy's request as `plan` says. */
async function resolve(plan: Plan, { withProxy = true } = {}): Promise<unknown> {
  const files = await startFileServer(SIZE, () => plan);
  onTestFinished(() => files.close());
  const proxy = await startTestProxy();
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  if (withProxy) onTestFinished(() => proxy.close());
  else await proxy.close();
  const [link] = release({ name: 'Sintel.2010.1080p' }).links;
  const own = { ...link, plays: true, url: files.url, headers: { 'X-Key': 'k' } } as const;
  const context = {
    ...({} as ResolveContext),
    backend: { via: 'player' } as ResolveContext['backend'],
    progress: { update: () => Promise.resolve() },
    ...{ properties, log: memoryLog(), signal: new AbortController().signal, timeout: 3_000 },
  };
  const choice = { release: { ...release({ name: 'Sintel.2010.1080p' }), links: [own] as const } };
  return await resolver.resolveRelease(choice, REQUEST, context, resolver).catch((error: unknown) => error);
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
