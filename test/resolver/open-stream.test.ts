import { expect, test } from 'vitest';
import { servingOf } from '../../src/backends/direct-stream/serving.ts';
import type { LocalStream, RemoteFile } from '../../src/model/index.ts';
import { listedAs } from '../../src/resolver/listed.ts';
import { openStream } from '../../src/resolver/open-stream.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const CHOSEN = { ...release({ name: 'Sintel.2010.1080p.WEB.x264-A' }), size: 9_000_000 };
const OTHER = 'Sintel.2010.720p.WEB.x264-B.mkv';
const FILM: RemoteFile = {
  ...{ via: 'proxy', url: 'http://addon.example/play/0', headers: {}, name: 'Sintel.mkv' },
  serving: servingOf(undefined),
  opening: { who: 'Example', wait: 1_000 },
};

/** What is played where the proxy answers with files of these names, the second time once the list was asked. */
async function played(names: readonly [string, string?]) {
  const asked: boolean[] = [];
  const ended: string[] = [];
  const told: string[] = [];
  const stages = {
    ...resolver,
    findProxy: () => Promise.resolve({ port: 1, token: 't' }),
    prepareStream: ({ anew = false }: { anew?: boolean }): Promise<LocalStream> => {
      asked.push(anew);
      const name = names[anew ? 1 : 0];
      if (name === undefined) return Promise.reject(new Error('it is not listed'));
      return Promise.resolve({ url: `http://127.0.0.1/${name}`, size: 8_000_000, name });
    },
    endStream: (url: string) => Promise.resolve(void ended.push(url)),
  };
  const progress = { update: () => Promise.resolve(), tell: (words: string) => void told.push(words) };
  const context = { ...({} as ResolveContext), signal: new AbortController().signal, progress };
  const about = {
    asked: { release: CHOSEN, request: REQUEST, isListed: true },
    listed: listedAs(REQUEST, CHOSEN, CHOSEN.links[0]),
  };
  const { stream, plays } = await openStream(FILM, about, context, stages);
  return { name: stream.name, plays: plays?.name, asked, ended, told };
}

test('the chosen release plays at once, and its list is not asked', async () => {
  const name = `${CHOSEN.name}.mkv`;
  expect(await played([name])).toEqual({ name, plays: CHOSEN.name, asked: [false], ended: [], told: [] });
});

test('where another release came, the list is asked for the chosen one, which plays without a word', async () => {
  const name = `${CHOSEN.name}.mkv`;
  expect(await played([OTHER, name])).toEqual({
    ...{ name, plays: CHOSEN.name, asked: [false, true], told: [] },
    ended: [`http://127.0.0.1/${OTHER}`],
  });
});

test('where the list has it no more, the other one plays under its own name, which is told', async () => {
  const came = await played([OTHER]);
  expect(came).toMatchObject({ name: OTHER, asked: [false, true], ended: [] });
  expect(came.plays).toBe(OTHER.replace('.mkv', ''));
  expect(came.told).toEqual([expect.stringContaining('sent another release than the chosen one')]);
});
