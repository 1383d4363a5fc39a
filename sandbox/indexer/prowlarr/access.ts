import { type Answer, type Incoming, titledPage } from '../../http/types.ts';
import { NO_CACHE } from './answers.ts';
import { calledOrigin, type Prowlarr } from './prowlarr.ts';
import { initialization } from './status.ts';

/** Only the first of these that is sent counts (protocols.md §7.1). */
export function hasKey({ query, headers }: Incoming, { apiKey }: Prowlarr): boolean {
  const bearer = /^Bearer (.*)$/.exec(headers['authorization'] ?? '')?.[1];
  return (query.get('apikey') ?? headers['x-api-key'] ?? bearer) === apiKey;
}

/** What is for people: with Forms only the login is shown without one, and a key does not help. */
export function page(request: Incoming, path: string, prowlarr: Prowlarr): Answer {
  if (path === '/login') return htmlPage('Login - Prowlarr');
  if (prowlarr.authentication === 'forms') {
    const base = request.path === path ? '' : prowlarr.urlBase;
    const login = `${calledOrigin(request, prowlarr)}${base}/login`;
    const location = `${login}?returnUrl=${encodeURIComponent(request.path)}`;
    return { status: 302, headers: { location }, body: '' };
  }
  if (path !== '/initialize.json') return htmlPage('Prowlarr');
  const headers = { 'content-type': 'application/json', ...NO_CACHE };
  return { status: 200, headers, body: JSON.stringify(initialization(prowlarr)) };
}

const htmlPage = (title: string): Answer => ({
  ...titledPage(title),
  headers: { 'content-type': 'text/html', ...NO_CACHE },
});
