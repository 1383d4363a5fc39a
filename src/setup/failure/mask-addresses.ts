import { isIP } from 'node:net';
import { isLocalName } from '../../io/local-network.ts';

/** An address as far as it tells of the set-up, and not of the person: "http, port 3000, local". */
export function addressText(address: string): string {
  if (address === '') return 'empty';
  if (!URL.canParse(address)) return 'no address';
  const { protocol, port, hostname } = new URL(address);
  const scheme = protocol.replace(/:$/, '');
  return `${scheme}, ${port === '' ? 'usual port' : `port ${port}`}, ${isLocalName(hostname) ? 'local' : 'public'}`;
}

/** A folder by how it is opened. */
export function pathText(path: string): string {
  if (path === '') return 'empty';
  return /^([a-z]+):\/\//i.exec(path)?.[1] ?? 'a path';
}

/**
 * Takes hosts out of a text: those of these addresses wherever they stand, in capitals or not, and all others that are
 * numbers or part of an address. This machine's own names stay.
 */
export function maskHosts(text: string, addresses: readonly string[]): string {
  const hosts = addresses
    .flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : []))
    // Part of many words.
    .filter((host) => host.length > 3 && !isOwn(host));
  return [...new Set(hosts)]
    .sort((a, b) => b.length - a.length)
    .reduce((masked, host) => masked.replace(asWritten(host), MASK), text)
    .replace(IN_ADDRESS, (_, before: string, host: string) => before + (isOwn(host) ? host : MASK))
    .replace(IP_ADDRESS, (found) => (isIP(found) === 0 || isOwn(found) ? found : MASK));
}

const MASK = '<host>';
const IN_ADDRESS = /(:\/\/(?:[^\s/?#"'<>]*@)?)(\[[^\]\s]*\]|[^\s/?#:@"'<>[\]]+)/g;
/** What may be an IPv4 or an IPv6 address. */
const IP_ADDRESS =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w:]*\.\w)|[\da-f]{0,4}:[\da-f:]*:[\da-f:]*)(?!\w)/gi;

/** Nobody's secret. */
const isOwn = (host: string): boolean => /^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(host);

const asWritten = (host: string): RegExp => new RegExp(host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
