import { describe, expect, test } from 'vitest';
import { servingOf } from '../../src/backends/direct-stream/serving.ts';
import { CancelledError, SlipstreamError } from '../../src/errors/index.ts';
import { noVideoError } from '../../src/job-files/no-video.ts';
import type { LocalStream, RemoteFile } from '../../src/model/index.ts';
import { listingRefOf } from '../../src/resolver/listing-ref.ts';
import { openStream } from '../../src/resolver/open-stream.ts';
import {
  playingReleaseOf,
  type ReplacementPlan,
  type ResolveContext,
  resolver,
  type StreamOrigin,
} from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const CHOSEN = { ...release({ name: 'Sintel.2010.1080p.WEB.x264-A' }), size: 9_000_000 };
const OTHER = 'Sintel.2010.720p.WEB.x264-B.mkv';
const FILM: RemoteFile = {
  via: 'proxy',
  url: 'http://addon.example/play/0',
  headers: {},
  name: 'Sintel.mkv',
  serving: servingOf(undefined),
  opening: { who: 'Example', wait: 1_000 },
};

const noVideo = (what: string) =>
  new SlipstreamError('NO_VIDEO', { what: `Example ${what}.`, next: 'Try another release.' });

/** What is played where the proxy answers with files of these names, the second time once the list was asked. */
async function played(
  names: readonly [string | undefined, string?],
  origin?: StreamOrigin,
  {
    leave = () => Promise.resolve(),
    lists = (): unknown => undefined,
    giveUp = new AbortController(),
    more = {},
    refusal = undefined as SlipstreamError | undefined,
  } = {},
) {
  const asked: boolean[] = [];
  const ended: string[] = [];
  const told: string[] = [];
  const left: (string | undefined)[] = [];
  const stages = {
    ...resolver,
    findProxy: () => Promise.resolve({ port: 1, token: 't' }),
    prepareStream: ({ anew = false }: { anew?: boolean }): Promise<LocalStream> => {
      asked.push(anew);
      if (anew) lists();
      else if (refusal !== undefined) return Promise.reject(refusal);
      const name = names[anew ? 1 : 0];
      if (name === undefined) return Promise.reject(new Error('it is not listed'));
      return Promise.resolve({ url: `http://127.0.0.1/${name}`, size: 8_000_000, name, ...more });
    },
    updatePlan: async (_url: string, plan: ReplacementPlan) => {
      await leave();
      left.push(plan.playing?.release.name);
    },
    endStream: (url: string, _proxy: unknown, signal: AbortSignal) => {
      signal.throwIfAborted();
      return Promise.resolve(void ended.push(url));
    },
  };
  const progress = { update: () => Promise.resolve(), printLine: (words: string) => void told.push(words) };
  const plan = (playing?: StreamOrigin): ReplacementPlan => ({
    request: REQUEST,
    backend: 'b',
    releases: [],
    ...(playing !== undefined && { playing: playingReleaseOf(playing) }),
  });
  const log = memoryLog();
  const context = { ...({} as ResolveContext), signal: giveUp.signal, log, progress, plan };
  const about = {
    requested: { release: CHOSEN, request: REQUEST, row: {} },
    listed: listingRefOf(REQUEST, CHOSEN, CHOSEN.links[0]),
    ...(origin !== undefined && { origin }),
  };
  const outcome = await openStream(FILM, about, context, stages).catch((error: unknown) => ({ error }));
  if ('error' in outcome) return { error: outcome.error, asked, ended };
  const { stream, plays } = outcome;
  return { name: stream.name, plays: plays?.name, asked, ended, told, left, log };
}

test('the chosen release plays at once, and its list is not asked', async () => {
  const name = `${CHOSEN.name}.mkv`;
  expect(await played([name])).toMatchObject({
    name,
    plays: CHOSEN.name,
    asked: [false],
    ended: [],
    told: [],
    left: [],
  });
});

test('where another release came, the list is asked for the chosen one, which plays without a word', async () => {
  const name = `${CHOSEN.name}.mkv`;
  expect(await played([OTHER, name])).toMatchObject({
    name,
    plays: CHOSEN.name,
    asked: [false, true],
    told: [],
    left: [],
    ended: [`http://127.0.0.1/${OTHER}`],
  });
});

test('where the list has it no more, the other one plays under its own name, which is told', async () => {
  const came = await played([OTHER]);
  expect(came).toMatchObject({ name: OTHER, asked: [false, true], ended: [] });
  expect(came.plays).toBe(OTHER.replace('.mkv', ''));
  expect(came.told).toEqual([expect.stringContaining('sent another release than the chosen one')]);
});

test('a stream that cannot be seeked plays, and that is told', async () => {
  const more = { unseekable: true } as const;
  expect(await played([`${CHOSEN.name}.mkv`], undefined, { more })).toMatchObject({
    asked: [false],
    ended: [],
    told: ['Example sends only whole files: the film cannot be seeked.'],
  });
});

test.each([
  ['no such episode in the release', () => noVideo('finds no such episode in this release')],
  ['a pack of which nobody can tell', () => noVideoError({ reason: 'ambiguous' }, 1)],
])('%s is final: the list is not asked, and nothing is opened again', async (_what, refused) => {
  const refusal = refused();
  expect(await played([undefined, `${CHOSEN.name}.mkv`], undefined, { refusal })).toEqual({
    error: refusal,
    asked: [false],
    ended: [],
  });
});

test.each([
  ['the chosen one', `${CHOSEN.name}.mkv`, []],
  ['another one', OTHER, [OTHER.replace('.mkv', '')]],
])(
  'the service is told once more what plays where that is not the chosen one: %s',
  async (_what, name, left) => {
    expect((await played([name], { release: CHOSEN, files: [] })).left).toEqual(left);
  },
);

describe('a service that is not told in time that another release plays', () => {
  const origin = { release: CHOSEN, files: [] };

  test('ends no play', async () => {
    const leave = () => Promise.reject(new SlipstreamError('TIMEOUT', { what: 'Too late.', next: 'Wait.' }));
    const { name, ended, log } = await played([OTHER], origin, { leave });
    expect([name, ended]).toEqual([OTHER, []]);
    expect(log?.lines.join('\n')).toContain('does not know which release plays: TIMEOUT: Too late.');
  });

  test('is left no stream when the play is given up meanwhile', async () => {
    const giveUp = new AbortController();
    const leave = () => {
      giveUp.abort(new CancelledError('person'));
      return Promise.reject(giveUp.signal.reason as Error);
    };
    expect(await played([OTHER], origin, { leave, giveUp })).toMatchObject({
      error: expect.any(CancelledError) as unknown,
      ended: [`http://127.0.0.1/${OTHER}`],
    });
  });
});

test('what has come is ended when the play is given up while the list is asked', async () => {
  const giveUp = new AbortController();
  const lists = () => {
    giveUp.abort(new CancelledError('person'));
  };
  expect(await played([OTHER], undefined, { lists, giveUp })).toMatchObject({
    ended: [`http://127.0.0.1/${OTHER}`],
  });
});
