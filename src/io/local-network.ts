import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { unlessAborted } from './wait.ts';

/** Where only the person's own network is: RFC 1918, link-local (RFC 3927, RFC 4291), unique local (RFC 4193). */
const LOCAL = new BlockList();
LOCAL.addSubnet('10.0.0.0', 8);
LOCAL.addSubnet('172.16.0.0', 12);
LOCAL.addSubnet('192.168.0.0', 16);
LOCAL.addSubnet('169.254.0.0', 16);
LOCAL.addSubnet('fc00::', 7, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');
// This machine. Nobody else's packets come from there.
LOCAL.addSubnet('127.0.0.0', 8);
LOCAL.addAddress('::1', 'ipv6');

/** Whether an address is this machine's or one of the local network. An IPv4 address may be written as IPv6. */
export function isLocalAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  try {
    return LOCAL.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  } catch {
    return false;
  }
}

/**
 * Whether a URL's hostname tells by itself that it is in a local network, without being looked up: a local address, a
 * name without a dot, or one of the endings that networks give to their own.
 */
export function isLocalName(hostname: string): boolean {
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0) return isLocalAddress(host);
  return !host.includes('.') || /\.(?:local|lan|home|internal|localdomain|arpa|box)$/i.test(host);
}

/** A URL writes an IPv6 address in brackets. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Whether the host of an address is in the local network, by all that its name stands for. Rejects only on abort. */
export async function isLocalHost({ hostname }: URL, signal: AbortSignal): Promise<boolean> {
  const host = withoutBrackets(hostname);
  try {
    const addresses = await unlessAborted(lookup(host, { all: true }), signal);
    return addresses.length > 0 && addresses.every(({ address }) => isLocalAddress(address));
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
