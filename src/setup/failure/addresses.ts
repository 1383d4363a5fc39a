import { isIPv4 } from 'node:net';

/** An address as far as it tells of the set-up, and not of the person: "http, port 3000, local". */
export function addressText(address: string): string {
  if (address === '') return 'empty';
  if (!URL.canParse(address)) return 'no address';
  const { protocol, port, hostname } = new URL(address);
  const scheme = protocol.replace(/:$/, '');
  return `${scheme}, ${port === '' ? 'usual port' : `port ${port}`}, ${isLocal(hostname) ? 'local' : 'public'}`;
}

/** A folder by how it is opened. */
export function pathText(path: string): string {
  if (path === '') return 'empty';
  return /^([a-z]+):\/\//i.exec(path)?.[1] ?? 'a path';
}

/** Takes the hosts of these addresses out of a text, wherever they stand in it. */
export function maskHosts(text: string, addresses: readonly string[]): string {
  const hosts = addresses
    .flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : []))
    // Nobody's secret, and part of many words.
    .filter((host) => host.length > 3 && host !== 'localhost' && host !== '127.0.0.1');
  return [...new Set(hosts)]
    .sort((a, b) => b.length - a.length)
    .reduce((masked, host) => masked.replaceAll(host, '<host>'), text);
}

/** Names without a dot, or of a network's own, and the addresses of RFC 1918, of loopback, and link-local ones. */
function isLocal(hostname: string): boolean {
  if (isIPv4(hostname)) return /^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname);
  if (hostname.startsWith('[')) return /^\[(?:::1\]|f[cd]|fe[89ab])/i.test(hostname);
  return !hostname.includes('.') || /\.(?:local|lan|home|internal|localdomain|arpa|box)$/i.test(hostname);
}
