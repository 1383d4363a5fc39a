import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerCall } from '../src/commands/plugin.ts';
import type { LocalStream } from '../src/model/index.ts';
import { openStream } from '../src/resolver/open-stream.ts';
import * as resolverFacade from '../src/resolver.ts';
import { resolver } from '../src/resolver.ts';
import * as routerFacade from '../src/router.ts';
import { router } from '../src/router.ts';
import { streamProxy } from '../src/stream-proxy.ts';
import { type Pipeline, pipeline, SINTEL } from './pipeline/set-up.ts';
import { release } from './release/candidates.ts';
import { playLink } from './resolver/play-link.ts';
import { startFileServer } from './support/file-server.ts';
import { memoryLog } from './support/log.ts';
import { recordingHost } from './support/recording-host.ts';

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');
const PLAY = 'plugin://plugin.video.slipstream/play';

afterEach(() => {
  vi.restoreAllMocks();
});

/** One call of Kodi, routed by the façade. */
const call = (p: Pipeline, entry: 'resolve' | 'script' | 'action', ...argv: string[]) =>
  answerCall({ entry, argv }, p.host, p.log);

/** A film that is chosen without asking, submitted, and handed over. */
const filmPlays = (p: Pipeline) => call(p, 'resolve', PLAY, '1', SINTEL, 'resume:false');

/** A file server whose file is called by that name. */
async function serverOf(name: string) {
  return await startFileServer(300_007, () => ({
    headers: { 'content-disposition': `inline; filename="${name}"` },
  }));
}

/** Members of the router, with a way to run each. All others run when a film is played. */
const ROUTES: Readonly<Record<string, (p: Pipeline) => Promise<unknown>>> = {
  parseScriptEntry: (p) => call(p, 'script', 'addon.py', 'meta_play', 'type=movie', 'title=Sintel'),
  runAction: async (p) => {
    vi.spyOn(router, 'runAction').mockResolvedValue();
    await call(p, 'action', 'plugin://plugin.video.slipstream/setup/report', '1', '');
  },
  runFirstRun: async () => {
    const host = recordingHost();
    vi.spyOn(router, 'runFirstRun').mockResolvedValue(false);
    await answerCall({ entry: 'resolve', argv: [PLAY, '1', SINTEL, ''] }, host, memoryLog());
  },
};

/** Members of the resolver, with a way to run each. All others run when a film is played. */
const RESOLUTIONS: Readonly<Record<string, (p: Pipeline) => Promise<unknown>>> = {
  resolveDirect: async (p) => {
    const files = await serverOf('Sintel.mkv');
    const query = `?url=${encodeURIComponent(files.url)}&title=Sintel`;
    await call(p, 'resolve', 'plugin://plugin.video.slipstream/direct_play', '1', query, '');
    await files.close();
  },
  waitForManager: async (p) => {
    vi.spyOn(resolver, 'waitForManager').mockImplementation((away) => Promise.reject(away));
    const { fetchNzb } = resolver;
    vi.spyOn(resolver, 'fetchNzb').mockImplementation(async (found, options) => {
      await p.sandbox.shut('indexer');
      const manager = { software: 'NZBHydra2', who: 'NZBHydra2' } as const;
      return await fetchNzb({ ...found, links: [{ ...found.links[0], manager }] }, options);
    });
    await filmPlays(p);
  },
  playUrl: async () => {
    const files = await serverOf('Sintel.2010.1080p.BluRay.x264-DURIAN.mkv');
    await playLink({ url: files.url }, { via: 'player' });
    await files.close();
  },
  endStream: async () => {
    const files = await serverOf('Spring.2019.1080p.WEB-DL.H264-INV.mkv');
    await playLink({ url: files.url });
    await files.close();
  },
  updatePlan: async () => {
    const CHOSEN = release({ name: 'Sintel.2010.1080p.BluRay.x264-DURIAN' });
    const stream: LocalStream = {
      url: 'http://127.0.0.1/x',
      size: 1,
      name: 'Sintel.2010.720p.WEB.H264-INV.mkv',
    };
    vi.spyOn(resolver, 'findProxy').mockResolvedValue({ port: 1, token: 't' });
    vi.spyOn(resolver, 'prepareStream').mockResolvedValue(stream);
    vi.spyOn(resolver, 'updatePlan').mockResolvedValue();
    const request = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
    const { properties } = recordingHost();
    await openStream(
      { via: 'proxy', url: stream.url, headers: {}, name: 'x', opening: { who: 'Example', wait: 1 } },
      { requested: { release: CHOSEN, request }, origin: { release: CHOSEN, files: [] } },
      {
        properties,
        log: memoryLog(),
        signal: new AbortController().signal,
        progress: { update: () => Promise.resolve() },
        plan: () => ({ request, backend: 'b', releases: [] }),
      },
      resolver,
    );
  },
  withdraw: async (p) => {
    p.host.resolve = () => Promise.reject(new Error('refused'));
    await filmPlays(p).catch(() => undefined);
  },
};

describe.each([
  ['router', router, routerFacade, ROUTES],
  ['resolver', resolver, resolverFacade, RESOLUTIONS],
] as const)('the façade of the %s', (_name, object, facade, ways) => {
  const members = Object.keys(object).filter((name) => name !== 'resolver');

  it('exports each of its stages by name, but for those that only ask the backend', () => {
    const named = facade as unknown as Record<string, unknown>;
    const missing = Object.entries(object).filter(([name, stage]) => named[name] !== stage);
    expect(missing.map(([name]) => name)).toEqual(
      facade === resolverFacade ? ['submit', 'waitUntilReady', 'locate'] : [],
    );
  });

  it.each(members)('runs what has taken the place of %s', async (member) => {
    const p = await pipeline();
    const spy = vi.spyOn(object as unknown as Record<string, () => unknown>, member);
    await (ways[member] ?? filmPlays)(p);
    expect(vi.mocked((object as unknown as Record<string, () => unknown>)[member]!)).toHaveBeenCalled();
    spy.mockRestore();
  });
});

describe('the rooms of a façade', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.split(sep).join('/'));

  /** "path imports name" for each import of one of these functions, types not counted, by a file of these rooms. */
  function directImports(rooms: readonly string[], names: ReadonlySet<string>): string[] {
    const inRooms = files.filter((path) => rooms.includes(posix.dirname(path).split('/')[0] ?? ''));
    return inRooms.flatMap((path) =>
      valueImports(readFileSync(join(SRC, path), 'utf8'))
        .filter((name) => names.has(name))
        .map((name) => `${path} imports ${name}`),
    );
  }

  function valueImports(text: string): string[] {
    const { statements } = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest);
    return statements.filter(ts.isImportDeclaration).flatMap(({ importClause }) => {
      const bindings = importClause?.namedBindings;
      if (importClause === undefined || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
      if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
      return bindings.elements
        .filter((element) => !element.isTypeOnly)
        .map((element) => (element.propertyName ?? element.name).text);
    });
  }

  it.each([
    ['router', ['router', 'selection'], router],
    ['resolver', ['resolver'], resolver],
    ['stream-proxy', ['stream-proxy'], streamProxy],
  ] as const)('call the stages of the %s by the object that they are given', (_name, rooms, object) => {
    const names = new Set(
      Object.values(object as unknown as Record<string, unknown>).flatMap((stage) =>
        typeof stage === 'function' ? [stage.name] : [],
      ),
    );
    expect(names.size).toBeGreaterThan(10);
    expect(directImports(rooms, names)).toEqual([]);
  });
});
