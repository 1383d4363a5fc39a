import { ALTMOUNT, type Dialect, NZBDAV, type RecordedRequest, type Sandbox } from '../../sandbox/index.ts';
import { read } from '../client.ts';
import type { Figure } from '../figure.ts';
import { type Started, withStarted } from './start-film.ts';

/** What a player has when its picture is sure to run. */
const ENOUGH = 8e6;
const AT_ONCE = 64 * 1024;
const LINES = [50, 20] as const;

/** How the film starts at a server: against what, and within which bounds. */
interface Form {
  readonly name: string;
  readonly dialect: Dialect;
  /** The one GET that nobody can do better than. */
  readonly range: string;
  /** Whether windows that follow one another count as one request. */
  readonly inWindows: boolean;
  readonly target: { readonly ratio: number; readonly requests: number };
}

const NZBDAV_FORM: Form = {
  name: '',
  dialect: NZBDAV,
  range: 'bytes=0-',
  inWindows: false,
  target: { ratio: 1.25, requests: 2 },
};
const ALTMOUNT_FORM: Form = {
  name: '-altmount',
  dialect: ALTMOUNT,
  range: `bytes=0-${ENOUGH - 1}`,
  inWindows: true,
  target: { ratio: 2, requests: 4 },
};

interface Start {
  readonly megabits: number;
  /** Milliseconds from the look that found the job ready to 8 MB in the player. */
  readonly took: number;
  /** Milliseconds of one GET of the same bytes at the server itself. */
  readonly direct: number;
  readonly requests: readonly RecordedRequest[];
}

const starts = new Map<Form, Promise<readonly Start[]>>();

function startsOf(form: Form): Promise<readonly Start[]> {
  const known = starts.get(form) ?? measureStarts(form);
  starts.set(form, known);
  return known;
}

async function measureStarts({ dialect, range }: Form): Promise<readonly Start[]> {
  const found: Start[] = [];
  for (const megabits of LINES)
    found.push(
      await withStarted(dialect, megabits, async (started) => {
        const took = await untilEnough(started);
        const requests = started.requests();
        await started.end();
        const direct = await directly(started.sandbox, requests[0]!.path, range);
        return { megabits, took, direct, requests };
      }),
    );
  return found;
}

async function untilEnough({ url, ready }: Started): Promise<number> {
  let left = ENOUGH;
  const onBytes = (count: number) => ((left -= count) > 0 ? 0 : 'leave');
  await read(url, { first: 0, atOnce: AT_ONCE, onBytes });
  return performance.now() - ready;
}

/** On a line that nobody else uses. */
async function directly({ backend }: Sandbox, path: string, range: string): Promise<number> {
  const login = Buffer.from(`${backend.username}:${backend.password}`).toString('base64');
  const began = performance.now();
  const answer = await fetch(backend.webdavUrl + path, {
    headers: { authorization: `Basic ${login}`, range },
  });
  if (!answer.ok || answer.body === null) throw new Error(`the server itself answers ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes >= ENOUGH) break;
  }
  return performance.now() - began;
}

/** From the answer that says ready to 8 MB in the player, against one GET of them; the slower of the two lines counts. */
function readyToEnough(form: Form): Figure {
  const limit = form.target.ratio;
  return {
    name: `play.ready-to-8mb-vs-direct${form.name}`,
    unit: '×',
    target: `≤ ${limit}`,
    measure: async () => {
      const found = await startsOf(form);
      const value = Math.max(...found.map(({ took, direct }) => took / direct));
      const lines = found.map(
        ({ megabits, took, direct }) =>
          `${megabits} Mbit/s: ${(took / 1000).toFixed(1)} s, directly ${(direct / 1000).toFixed(1)} s`,
      );
      return { value, met: value <= limit, note: lines.join('; ') };
    },
  };
}

/** GETs and HEADs of the film until then. */
function requestsAtStart(form: Form): Figure {
  const limit = form.target.requests;
  return {
    name: `play.requests-at-start${form.name}`,
    unit: '',
    target: `≤ ${limit}`,
    measure: async () => {
      const found = await startsOf(form);
      const counted = form.inWindows ? withoutFollowing : (all: readonly RecordedRequest[]) => all;
      const value = Math.max(...found.map(({ requests }) => counted(requests).length));
      const note = found
        .map(({ megabits, requests }) => `${megabits} Mbit/s: ${listed(requests)}`)
        .join('; ');
      return { value, met: value <= limit, note };
    },
  };
}

const rangeOf = ({ headers }: RecordedRequest) => headers['range'] ?? 'whole';

/** Leaves out each window that begins where one before it ended. */
function withoutFollowing(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  const ends = new Set<number>();
  return requests.filter((request) => {
    const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(rangeOf(request)) ?? [];
    if (last === undefined) return true;
    ends.add(Number(last) + 1);
    return !ends.delete(Number(start));
  });
}

function listed(requests: readonly RecordedRequest[]): string {
  return requests.map((request) => `${request.method} ${rangeOf(request).replace('bytes=', '')}`).join(', ');
}

export const startFigures: readonly Figure[] = [NZBDAV_FORM, ALTMOUNT_FORM].flatMap((form) => [
  readyToEnough(form),
  requestsAtStart(form),
]);
