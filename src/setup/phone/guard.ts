import type { IncomingMessage } from 'node:http';
import { isLocalAddress } from '../../io/local-network.ts';
import { foreignRefusal } from './refusal.ts';

/**
 * Lets through only what a page of ours sends, from a device of the local network. `authority` is what we serve at:
 * "192.168.1.10:41234".
 *
 * @throws Refusal
 */
export function guard(
  { socket, method, headers, headersDistinct, url = '' }: IncomingMessage,
  authority: string,
) {
  if (!isLocalAddress(socket.remoteAddress ?? ''))
    throw foreignRefusal(403, 'Only devices of this network are let in.');
  // A page that points a name of its own at us (DNS rebinding) sends another Host.
  const hosts = headersDistinct['host'] ?? [];
  if (hosts.length !== 1 || hosts[0] !== authority)
    throw foreignRefusal(421, 'This address is not served here.');
  if (!url.startsWith('/') || url.length > 200) throw foreignRefusal(400, 'That is no address of this page.');
  if (method === 'GET' || method === 'HEAD') return;
  if (method !== 'POST') throw foreignRefusal(405, 'That cannot be done here.');
  // Browsers name the page that writes; Fetch Metadata says the same where it is sent.
  const origin = `http://${authority}`;
  const site = headers['sec-fetch-site'];
  const referer = headers.referer;
  const isOurs =
    headers.origin === origin &&
    (site === undefined || site === 'same-origin') &&
    (referer === undefined || referer.startsWith(`${origin}/`));
  if (!isOurs) throw foreignRefusal(403, 'Only the page of this address may change something.');
}
