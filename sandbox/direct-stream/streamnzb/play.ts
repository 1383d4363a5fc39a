import { mp4Clip } from '../../clips/index.ts';
import type { Answer, Incoming } from '../../http/types.ts';
import { type Attempt, recordFailure } from './attempts.ts';
import { film } from './film.ts';
import { goError, goRedirect, serveContent } from './go-http.ts';
import { base } from './lists.ts';
import { openRelease } from './opening.ts';
import type { StreamNzb } from './service.ts';
import type { Session } from './session.ts';

/** Failover leads on from a release that failed for so long; a session that nobody asks for ends after so long. Milliseconds. */
const HALF_AN_HOUR = 30 * 60_000;

/** What an address plays: the release of its place in the list, another one, or the clip that stands for every failure. */
export async function play(
  request: Incoming,
  { id, token }: { readonly id: string; readonly token: string },
  service: StreamNzb,
): Promise<Answer> {
  const session = sessionOf(id, service);
  if (session === undefined) return EXPIRED;
  session.touched = service.now();
  if (!service.memory.hasProvider) {
    begin(session, service);
    return { status: 0, reset: true };
  }
  if (session.stream.failover) return playOrNext(request, session, token, service);
  const { attempt, isOpen } = await opened(session, request.method, service);
  if (isOpen) return film({ session, attempt, service }, request.headers);
  service.memory.sessions.delete(id);
  return failureClip(service);
}

const EXPIRED = goError(404, 'Session expired or not found');
const NO_STORE = { 'cache-control': 'no-cache, no-store, must-revalidate' };

function sessionOf(id: string, { memory: { sessions }, now }: StreamNzb): Session | undefined {
  const session = sessions.get(id);
  if (session === undefined || now() - session.touched < HALF_AN_HOUR) return session;
  sessions.delete(id);
  return undefined;
}

const failureClip = (service: StreamNzb): Answer =>
  goRedirect(`${base(service)}/error/failure.mp4`, { ...NO_STORE, connection: 'close' });

/** The "next release" row leads to the next place. */
export function nextRelease(id: string, token: string, service: StreamNzb): Answer {
  const [, list = '', place] = /^(.*):(\d+)$/.exec(id) ?? [];
  return goRedirect(`${base(service)}/${token}/play/${list}:${Number(place) + 1}?next=1`, NO_STORE);
}

function begin(session: Session, { attempts, settings, now }: StreamNzb): Attempt {
  return attempts.begun(session, settings.indexerAt, now());
}

async function opened(session: Session, method: string, service: StreamNzb) {
  const attempt = begin(session, service);
  const reason = await openRelease(session, method, service);
  if (reason === undefined) return { attempt, isOpen: true };
  recordFailure(attempt, reason);
  session.failed = service.now();
  return { attempt, isOpen: false };
}

/** With failover on: another release in the answer itself at the first click, and by a redirect once it has failed. */
async function playOrNext(
  request: Incoming,
  first: Session,
  token: string,
  service: StreamNzb,
): Promise<Answer> {
  const hasFailed = isFailed(first, service);
  for (const session of [first, ...placesBehind(first, service)]) {
    if (isFailed(session, service)) continue;
    if (hasFailed)
      return { status: 302, headers: { location: `${base(service)}/${token}/play/${session.id}` } };
    const { attempt, isOpen } = await opened(session, request.method, service);
    // Of another release it gives the whole, whatever range of the first was asked for.
    if (isOpen) return film({ session, attempt, service }, session === first ? request.headers : {});
  }
  return failureClip(service);
}

const isFailed = ({ failed: at }: Session, { now }: StreamNzb) =>
  at !== undefined && now() - at < HALF_AN_HOUR;

function* placesBehind({ id }: Session, { memory: { sessions } }: StreamNzb): Generator<Session> {
  const [, list = '', place] = /^(.*):(\d+)$/.exec(id) ?? [];
  for (let n = Number(place) + 1; ; n++) {
    const session = sessions.get(`${list}:${n}`);
    if (session === undefined) return;
    yield session;
  }
}

const FAILURE = mp4Clip({ name: 'failure.mp4', seconds: 5, size: 2_390_705, index: 'front' });

/** The clip that stands for every failure; it plays as any film. */
export const failureFilm = (headers: Readonly<Record<string, string>>): Answer =>
  serveContent(
    {
      clip: FAILURE,
      type: 'video/mp4',
      body: (start, end) => ({ clip: FAILURE, start, end }),
    },
    headers,
  );
