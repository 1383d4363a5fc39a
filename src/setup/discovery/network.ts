import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { isLocalAddress } from '../../io/local-network.ts';

/** An address of this machine. */
export interface OwnAddress {
  /** Of the interface: "eth0". */
  readonly name: string;
  readonly address: string;
}

/** Networks that only programs of this machine live in, or that lead somewhere else: no phone is there. */
const VIRTUAL =
  /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|cni|flannel|podman|lxc|tun|tap|wg|tailscale|zt|utun|ppp)/i;

/** What a phone at home most likely has as well, the likeliest first. */
const USUAL = [/^192\.168\./, /^10\./, /^172\./, /^f[cd]/i, /^169\.254\./];

/**
 * The address at which a phone of the same network finds us, or undefined when there is none. `routed` is the one that
 * this machine's own connections start from: among several it is the right one, if it is local. Pure.
 */
export function chooseAddress(own: readonly OwnAddress[], routed?: string): string | undefined {
  const local = own.filter(
    ({ address }) => isLocalAddress(address) && USUAL.some((net) => net.test(address)),
  );
  const place = ({ name, address }: OwnAddress) =>
    (VIRTUAL.test(name) ? 100 : 0) +
    (address === routed ? -50 : 0) +
    USUAL.findIndex((net) => net.test(address));
  return [...local].sort((a, b) => place(a) - place(b))[0]?.address;
}

/** The address of this machine in the local network. */
export async function lanAddress(): Promise<string | undefined> {
  const own = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.filter(({ internal }) => !internal).map(({ address }) => ({ name, address })),
  );
  return chooseAddress(own, await routedAddress());
}

/** A documentation address (RFC 5737): anything outside of the local network. */
const OUTSIDE = '192.0.2.1';

/** The address from which this machine speaks to the outside. A datagram socket learns it without sending anything. */
async function routedAddress(): Promise<string | undefined> {
  const socket = createSocket('udp4');
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(9, OUTSIDE, () => {
        resolve(socket.address().address);
      });
    });
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** The other hosts of the /24 in which an IPv4 address lies, its neighbours first; none for any other address. Pure. */
export function neighbours(address: string): string[] {
  const [, net, last] = /^(\d+\.\d+\.\d+\.)(\d+)$/.exec(address) ?? [];
  if (net === undefined || !isLocalAddress(address)) return [];
  const own = Number(last);
  return Array.from({ length: 254 }, (_, index) => index + 1)
    .filter((host) => host !== own)
    .sort((a, b) => Math.abs(a - own) - Math.abs(b - own))
    .map((host) => `${net}${host}`);
}
