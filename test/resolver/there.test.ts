import { expect, test } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const SIZE = 500_000_000;
const FILE = {
  via: 'player',
  name: 'Sintel.2010.1080p.mkv',
  url: 'smb://nas/Sintel.mkv',
  size: SIZE,
} as const;
const JOB = { id: '7', name: 'Sintel.2010.1080p', storage: '/downloads/Sintel' } as const;
const lost = new SlipstreamError('DAMAGED', { what: 'Lost.', next: 'Choose another.' }, { broken: true });

/** Plays a job that was there, of a backend whose files nobody knows how they are served. */
async function resolve(lostFrom: number): Promise<unknown> {
  const backend = {
    name: 'NZBGet',
    via: 'player',
    locate: () => Promise.resolve({ file: FILE, files: [{ path: FILE.name, size: SIZE }] }),
    read: (_: unknown, { from, length }: { readonly from: number; readonly length: number }) =>
      from < lostFrom ? Promise.resolve(new Uint8Array(length).fill(1)) : Promise.reject(lost),
  };
  const context = {
    ...({} as ResolveContext),
    backend: backend as unknown as ResolveContext['backend'],
    progress: { update: () => Promise.resolve() },
    properties: recordingHost().properties,
    log: memoryLog(),
    signal: new AbortController().signal,
  };
  const choice = {
    kind: 'remembered',
    release: release({ name: JOB.name }),
    existingJob: JOB as never,
    isBeforeSearch: false,
    forget: () => Promise.resolve(),
  } as const;
  const request = { kind: 'movie', title: 'Sintel', ids: {} } as const;
  return await resolver.resolveRelease(choice, request, context, resolver).catch((error: unknown) => error);
}

test('a job that was there plays where its middle can be read', async () => {
  expect(await resolve(SIZE)).toMatchObject({ stream: { url: FILE.url } });
});

test('a job that was there is not handed over where its middle is lost', async () => {
  const outcome = await resolve(SIZE / 4);
  expect(outcome).toBeInstanceOf(Unplayable);
  expect(outcome).toMatchObject({ failure: lost });
});
