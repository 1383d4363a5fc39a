import type { Answer, Incoming } from '../http/types.ts';
import type { Dialect } from './dialect.ts';

/** An answer of the server as its front end hands it on: nzbdav's has a connection of its own for each. */
export function forwardedAnswer(answer: Answer, { closes }: Dialect): Answer {
  return closes ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer;
}

/** What it answers by itself while the server does not run; nzbdav's repeats the address, a key in it as well. */
export function frontEndOnlyAnswer({ path, query, headers }: Incoming, { gateway }: Dialect): Answer {
  if (gateway === 502) return { status: 502, headers: { 'content-type': 'text/plain' }, body: 'Bad Gateway' };
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const body = `Error occurred while trying to proxy: ${headers['host'] ?? ''}${path}${search}`;
  return { status: 504, body, chunked: true };
}

/** AltMount's is one page for every path that is read; nzbdav's sends everybody to its login. */
export function webInterface({ path, method }: Incoming, { family, isFork }: Dialect): Answer {
  if (family === 'altmount' && method !== 'GET') return { status: 404 };
  if (isFork && path === '/ready') return text('text/plain', 'Healthy', true);
  if (isFork && path === '/healthz') return text('text/plain; charset=utf-8', 'ok');
  if (family === 'nzbdav' && path !== '/login') return TO_LOGIN;
  const name = family === 'altmount' ? 'AltMount' : 'NzbDav';
  return text(
    'text/html',
    `<!DOCTYPE html><html><head><title>${name}</title></head><body>Log in</body></html>`,
  );
}

const text = (type: string, body: string, chunked = false): Answer => ({
  status: 200,
  headers: { 'content-type': type },
  body,
  chunked,
});

const TO_LOGIN: Answer = {
  status: 302,
  headers: { location: '/login', 'content-type': 'text/plain; charset=utf-8' },
  body: 'Found. Redirecting to /login',
};
