import type { Answer, Incoming } from '../../http/types.ts';
import type { Hydra } from './hydra.ts';

const HTML = { 'content-type': 'text/html;charset=UTF-8' };

/** What people see, who log in where it wants them to; undefined: no page of its own (protocols.md §6.5). */
export function page(path: string, request: Incoming, { urlBase, settings }: Hydra): Answer | undefined {
  const at = `http://${request.headers['host'] ?? ''}${urlBase}`;
  if (path === '/login')
    return { status: 200, headers: HTML, body: titled('<title>NZBHydra 2 - Login</title>') };
  if (path === '' && urlBase !== '') return { status: 302, headers: { location: `${at}/` }, body: '' };
  if (path !== '/' && !path.startsWith('/internalapi/')) return undefined;
  if (settings.authentication === 'FORM')
    return {
      status: 302,
      headers: { location: `${at}/login`, 'set-cookie': `JSESSIONID=1; Path=${urlBase || '/'}; HttpOnly` },
      body: '',
    };
  return path === '/' ? { status: 200, headers: HTML, body: titled(FRONT) } : undefined;
}

/** Its title is filled in by its own script. */
const FRONT = `<title ng-bind="'NZBHydra 2' + (pageTitle ? ' - ' + pageTitle : '')">NZBHydra 2</title>`;

const titled = (title: string) => `<!DOCTYPE html><html><head>${title}</head><body></body></html>`;

/** An error outside of the Newznab endpoint. */
export const errorPage = (status: number): Answer => ({
  status,
  headers: { ...HTML, 'content-language': 'en' },
  body: titled('<title>NZBHydra 2</title>'),
});

/** An address that it cannot make sense of; the key is repeated in the answer. */
export function plainError(path: string, query: URLSearchParams): Answer {
  const parameters = [...query].map((each) => each.join('=')).join(', ');
  return {
    status: 400,
    headers: { 'content-type': 'text/plain;charset=ISO-8859-1' },
    body: `Unexpected error when client tried to access path ${path} and parameters ${parameters}. Error message: it is not understood`,
  };
}
