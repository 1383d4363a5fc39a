import { get, type IncomingMessage, STATUS_CODES } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from '../http/types.ts';
import { acceptNzb, priorityOf, submissionRefusal } from './add-file.ts';
import { ApiError } from './api-answers.ts';
import type { ApiOptions, Params } from './api-options.ts';

const MAX_REDIRECTS = 10;
/** Of a file that is sent without a name. */
const NAMELESS = 'download.nzb';

/** `mode=addurl`: fetches the address before it answers, and takes whatever well-formed XML lies there. */
export async function addUrl(params: Params, options: ApiOptions): Promise<Answer> {
  const refused = submissionRefusal(options);
  if (refused !== undefined) return refused;
  const priority = priorityOf(params);
  const address = params('name') ?? '';
  const { nzb, file } = await fetched(address, options.hosts).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(400, `Failed to fetch nzb-file url \`${address}\`: ${why}`);
  });
  const name = params('nzbname');
  return acceptNzb({ nzb, file: name === undefined ? file : `${name}.nzb`, priority }, params, options);
}

/** @throws Error with the server's words for what went wrong */
async function fetched(address: string, hosts: ApiOptions['hosts'], redirects = 0) {
  if (!URL.canParse(address)) throw new Error('The url is invalid.');
  const answer = await asked(new URL(address), hosts);
  const { statusCode: status = 0, headers } = answer;
  const body = await text(answer);
  if (status >= 300 && status < 400 && headers.location !== undefined && redirects < MAX_REDIRECTS)
    return await fetched(new URL(headers.location, address).href, hosts, redirects + 1);
  if (status >= 300)
    throw new Error(`Received status code ${(STATUS_CODES[status] ?? '').replaceAll(' ', '')}.`);
  const file = /filename="?([^";]+)/.exec(headers['content-disposition'] ?? '')?.[1] ?? NAMELESS;
  return { nzb: body, file };
}

/** Asks by the addresses of the place where the server runs. */
function asked(address: URL, hosts: ApiOptions['hosts']): Promise<IncomingMessage> {
  const url = new URL(`${address.pathname}${address.search}`, hosts.get(address.host) ?? address.origin);
  return new Promise((resolve, reject) => {
    get(url, resolve).once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ECONNREFUSED' ? new Error(`Connection refused (${url.host})`) : error);
    });
  });
}
