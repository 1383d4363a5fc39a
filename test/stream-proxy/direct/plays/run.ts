import type { DirectPost } from '../../../../sandbox/direct-stream/post.ts';
import { scenarioPolicies } from '../../scenarios/policies.ts';
import {
  bytesOf,
  type DirectLab,
  film,
  type Row,
  SERVICE_NAMES,
  startAioStreamsLab,
  startAltMountLab,
  startStreamNzbLab,
} from '../lab.ts';
import { ARTICLE, canBeHad, type DirectPlay, type PlayedService, planDirectPlay } from './plan.ts';

/** All times of the proxy, and of an outage, as parts of the real ones. */
const FACTOR = 0.2;
const OUTAGE = 10_000 * FACTOR;
/** Kodi comes back to where a body broke off. */
const RETURNS = 3;

const NAMES = ['A', 'B', 'C', 'D'].map((group) => `Big.Buck.Bunny.2008.1080p.WEB.x264-${group}`);

/** What of the play of a seed was wrong. */
export async function playDirect(seed: number): Promise<readonly string[]> {
  const play = planDirectPlay(seed);
  const posts = play.sizes.map((size, n) => postOf(play, size, n));
  const lab = await startLab(play, posts);
  try {
    return await playAll(play, posts, lab);
  } finally {
    await lab.close();
  }
}

export function describeDirect({ seed, service, failover, trouble, sizes, after }: DirectPlay): string {
  const leads = failover ? 'leads on to others' : 'leads on to none';
  return `seed ${seed}: ${service}, which ${leads}: ${trouble}, after ${after} of ${sizes[0]} bytes`;
}

export const replayDirect = (seed: number): string => `npm run scenarios -- --direct --seed ${seed}`;

function postOf({ trouble, lost }: DirectPlay, size: number, n: number): DirectPost {
  if (n > 0) return film(NAMES[n]!, size);
  const health =
    trouble === 'dead'
      ? ({ health: 'dead' } as const)
      : trouble === 'dead from the middle on'
        ? ({ health: 'damaged' } as const)
        : {};
  return film(NAMES[0]!, size, { lost, ...health });
}

/** A service under way, and what happens to it. */
interface Lab extends DirectLab {
  /** What happens in the middle of an answer; absent where that cannot be scripted. */
  readonly after?: (bytes: number, act: () => unknown) => void;
  /** Makes it happen. */
  readonly event: (() => Promise<unknown>) | undefined;
}

async function startLab(play: DirectPlay, posts: readonly DirectPost[]): Promise<Lab> {
  const { service: kind, failover } = play;
  const options = { failover, policies: scenarioPolicies(FACTOR, 'small') };
  if (kind === 'altmount') {
    const lab = await startAltMountLab(posts, options);
    const { service } = lab;
    const restart = async () => {
      await service.shut();
      await service.open();
    };
    const away = outage((provider) => {
      if (provider === 'there') delete service.faults.provider;
      else service.faults.provider = provider;
    });
    return { ...lab, event: eventOf(play.trouble, { restart, away }) };
  }
  const lab =
    kind === 'streamnzb' ? await startStreamNzbLab(posts, options) : await startAioStreamsLab(posts, options);
  const { service } = lab;
  const away = outage((provider) => {
    service.settings.provider = provider;
  });
  const addPost = () => {
    service.posts.unshift(film('Big.Buck.Bunny.2008.720p.WEB.x264-NEW', posts[0]!.release.size));
    return Promise.resolve();
  };
  const pause = () => {
    service.advance(31 * 60_000);
    return Promise.resolve();
  };
  const event = eventOf(play.trouble, {
    restart: () => service.restart(),
    away,
    addPost,
    list: lab.rows,
    pause,
  });
  return {
    ...lab,
    after: (bytes, act) => {
      service.after(bytes, act);
    },
    event,
  };
}

const outage = (set: (provider: 'away' | 'there') => void) => () => {
  set('away');
  setTimeout(() => {
    set('there');
  }, OUTAGE);
  return Promise.resolve();
};

interface Means {
  readonly restart: () => Promise<unknown>;
  readonly away: () => Promise<unknown>;
  readonly addPost?: () => Promise<unknown>;
  readonly list?: () => Promise<unknown>;
  readonly pause?: () => Promise<unknown>;
}

function eventOf(trouble: DirectPlay['trouble'], means: Means): Lab['event'] {
  const { restart, away, addPost, list, pause } = means;
  switch (trouble) {
    case 'restarted':
      return restart;
    case 'restarted, in another order':
      return async () => {
        await addPost?.();
        await restart();
      };
    case 'a new post':
      return async () => {
        await addPost?.();
        await list?.();
      };
    case 'paused for half an hour':
      return pause;
    case 'its provider away for a while':
      return away;
    default:
      return undefined;
  }
}

async function playAll(play: DirectPlay, posts: readonly DirectPost[], lab: Lab): Promise<string[]> {
  const rows = await lab.rows();
  const chosen = rows.find(({ name }) => name === NAMES[0]);
  if (chosen === undefined) return ['the chosen release is not listed'];
  const { event } = lab;
  if (event !== undefined) lab.after?.(play.after, event);
  const objections: string[] = [];
  // The next release is played where one cannot be, as the service does it.
  for (const row of [chosen, ...rows.filter((each) => each !== chosen)]) {
    const outcome = await playRow(row, play, posts, lab);
    objections.push(...outcome.objections);
    if (row === chosen && canBeHad(play) && outcome.ended !== 'film')
      objections.push(`the chosen release could be had, and ${outcome.ended}`);
    if (outcome.ended === 'film') return objections;
  }
  return objections;
}

interface Outcome {
  /** "film", or what was told instead. */
  readonly ended: string;
  readonly objections: readonly string[];
}

async function playRow(row: Row, play: DirectPlay, posts: readonly DirectPost[], lab: Lab): Promise<Outcome> {
  const prepared = await lab.prepare(row);
  const answer = prepared.json() as { url: string; id: string; name?: string; what?: string; next?: string };
  const { service } = play;
  if (prepared.status !== 200)
    return toldOr(answer, service, 'it is not told why the stream was not prepared');
  // Another release from the start plays under its own name.
  const shown = posts.find(({ release }) => `${release.name}.mkv` === (answer.name ?? `${row.name}.mkv`));
  if (shown === undefined) return { ended: '', objections: [`${answer.name} came, which nobody has listed`] };
  const film = bytesOf(shown);
  const player = new Player(answer.url, film);
  for (const part of play.seeks) await player.read(Math.floor(part * film.length), 300_000);
  if (lab.after === undefined && row.name === NAMES[0]) {
    await player.read(0, play.after);
    await lab.event?.();
  }
  await player.read(0, film.length);
  const session = lab.proxy.sessions().find(({ id }) => id === answer.id);
  const fills = session?.fills ?? [];
  const objections = [...player.wrong]
    .filter((at) => !fills.some(({ first, last }) => first <= at && at <= last))
    // Of a lost article a request may end before it is known that its zeros stand in place of bytes.
    .filter(
      (at) => shown !== posts[0] || !player.zeros.has(at) || !play.lost.includes(Math.floor(at / ARTICLE)),
    )
    .slice(0, 3)
    .map((at) => `byte ${at} is not the film's`);
  if (row.name === NAMES[0] && shown === posts[0]) objections.push(...fillsBeyond(fills, film, play));
  const isOther = shown.release.name !== row.name;
  if (player.isWhole) return { ended: isOther ? `${shown.release.name} came` : 'film', objections };
  const told = toldOr(session?.failure ?? {}, service, 'it is not told why the stream ended');
  return { ended: told.ended, objections: [...objections, ...told.objections] };
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** Only bytes of articles that are lost may be replaced; zeros of the film's own beside them look the same. */
function fillsBeyond(fills: readonly Span[], film: Buffer, { lost, trouble }: DirectPlay): string[] {
  if (trouble === 'dead from the middle on') return [];
  const isHad = (at: number) => !lost.includes(Math.floor(at / ARTICLE)) && film[at] !== 0;
  const covers = ({ first, last }: Span) => {
    for (let at = first; at <= last; at++) if (isHad(at)) return true;
    return false;
  };
  return fills
    .filter(covers)
    .map(({ first, last }) => `the fill ${first}-${last} covers bytes that can be had`);
}

/** A sentence that names the service and what it has done, and what to do next. */
function toldOr(
  { what, next }: { readonly what?: string; readonly next?: string },
  service: PlayedService,
  objection: string,
): Outcome {
  if (what === undefined || next === undefined || what === '' || next === '')
    return { ended: what ?? 'nothing was told', objections: [objection] };
  const cause = what.startsWith(`${SERVICE_NAMES[service]} `)
    ? CAUSES.find((each) => each.test(what))
    : undefined;
  return { ended: what, objections: cause === undefined ? [`this names no service and cause: ${what}`] : [] };
}

/** What services do to a play, in the words of what is told. */
const CAUSES = [
  ...[
    /could not get the release: parts of it are lost, or its provider is away/,
    /could not open the stream \("[^"]+"\)/,
  ],
  ...[/shows a notice instead of the film: it could not get it ready/, /named a stream that is not there/],
  ...[/answered with an error of its own/, /broke off while sending the file/, /did not answer in time/],
  ...[/does not have the file, or parts of it are missing/, /no longer has the file/, /cannot be reached/],
  ...[
    /sends something else in the place of the film/,
    /is out of order at the moment/,
    /lacks parts of the video/,
  ],
];

/** Reads as Kodi does: where a body breaks off it comes back, a few times. */
class Player {
  readonly #url: string;
  readonly #film: Buffer;
  /** Places of bytes that are not the film's. */
  readonly wrong = new Set<number>();
  /** Those of them at which a zero came. */
  readonly zeros = new Set<number>();
  isWhole = false;

  constructor(url: string, film: Buffer) {
    this.#url = url;
    this.#film = film;
  }

  #isWrong(at: number, byte: number): void {
    this.wrong.add(at);
    // What came first counts; a later request may know better.
    if (byte === 0) this.zeros.add(at);
    else this.zeros.delete(at);
  }

  async read(from: number, most: number): Promise<void> {
    const end = Math.min(this.#film.length, from + most);
    let at = from;
    for (let returns = 0; at < end && returns <= RETURNS; returns++) at += await this.#readOnce(at, end - 1);
    this.isWhole = from === 0 && at === this.#film.length;
  }

  /** Gives how many bytes came. */
  async #readOnce(first: number, last: number): Promise<number> {
    let at = first;
    try {
      const response = await fetch(this.#url, { headers: { range: `bytes=${first}-${last}` } });
      if (response.status !== 206 || response.body === null) return 0;
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        for (const byte of chunk) {
          if (byte !== this.#film[at]) this.#isWrong(at, byte);
          at++;
        }
      }
    } catch {
      // It broke off.
    }
    return at - first;
  }
}
