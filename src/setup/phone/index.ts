import type { Service } from '../../connections/service.ts';
import { SERVICES } from '../../connections/services/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { CodeCard, Host } from '../../host/port.ts';
import type { ConnectionLimits } from '../../io/connection-limit.ts';
import { poll } from '../../io/wait.ts';
import type { SetupContext } from '../action.ts';
import type { ScanTargets } from '../discovery/index.ts';
import { lanAddress } from '../discovery/network.ts';
import { openLastPort } from './last-port.ts';
import { NetworkScans } from './network-scans.ts';
import { PageSources } from './page-sources.ts';
import { Pairing } from './pairing.ts';
import { openPhoneServer } from './server.ts';
import { PhoneStatus } from './status.ts';
import { type Lifetime, TimeLeft } from './time-left.ts';

export interface PhoneOptions {
  /** Where to listen; absent: this machine's address in the local network. */
  readonly address?: string;
  /** Absent: all. */
  readonly services?: readonly Service[];
  /** Where the page looks for services; absent: in the local network. */
  readonly scanTargets?: ScanTargets;
  /** Until it ends by itself. */
  readonly lifetime?: Partial<Lifetime>;
  /** Of its page. */
  readonly connections?: Partial<ConnectionLimits>;
}

/** Milliseconds between two looks at what the TV should say. */
const POLL_MS = 250;

/**
 * Sets up from a phone: serves a page on the local network and shows on the TV how to open it.
 *
 * Ends, and closes the page's port, when the phone is done, the person goes back, five codes were wrong, or nothing was
 * pressed for ten minutes.
 *
 * @returns whether the phone has saved something, or is done: there is something to test
 * @throws SlipstreamError when there is no local network, the codes were wrong, or the card cannot be shown; the
 *   signal's reason
 */
export async function runPhoneSetup(context: SetupContext, options: PhoneOptions = {}): Promise<boolean> {
  const { services = SERVICES, scanTargets = {}, connections } = options;
  const { host, log, signal } = context;
  const address = options.address ?? (await lanAddress());
  if (address === undefined) throw noNetworkError();
  const timeLeft = new TimeLeft(options.lifetime);
  const pairing = new Pairing();
  const status = new PhoneStatus();
  const page = {
    host,
    services,
    pairing,
    timeLeft,
    scanTargets,
    scans: new NetworkScans(),
    sources: new PageSources(host.dataFolder),
    onEvent: status.handle.bind(status),
  };
  const lastPort = openLastPort(host.dataFolder);
  const port = (await lastPort.read()) ?? 0;
  const server = await openPhoneServer({ address, port, connections }, page, log);
  try {
    await lastPort.write(server.port).catch((error: unknown) => {
      log.warning(`where the set-up page is cannot be kept: ${String(error)}`);
    });
    log.info(`set-up from a phone: open at ${server.authority}`);
    await showUntilOver(host, signal, {
      isOver: () => status.isOver || timeLeft.left === 0,
      card: () => cardOf(server.authority, pairing.code, status.text(timeLeft.left)),
    });
  } finally {
    await server.close();
    log.info('set-up from a phone: closed');
  }
  if (pairing.isLocked) throw tooManyCodesError();
  if (timeLeft.left === 0 && !status.isOver) await host.questions.show(TIME_IS_UP, signal);
  return status.isUsed;
}

function cardOf(authority: string, code: string, status: string): CodeCard {
  return {
    title: 'Set up from your phone',
    // What follows # is never sent: who scans has the code, and no server on the way, nor any log, ever sees it.
    address: `http://${authority}/#${code}`,
    code,
    text: 'Scan the picture with the camera of a phone in the same network, or type the address into its browser, and then the code.',
    status,
  };
}

interface ShownCard {
  readonly card: () => CodeCard;
  readonly isOver: () => boolean;
}

/** Keeps the card on the TV up to date until the set-up is over, or the person goes back. */
async function showUntilOver(host: Host, signal: AbortSignal, { card, isOver }: ShownCard): Promise<void> {
  let shown = card();
  const open = await host.openCodeCard(shown, signal);
  let isClosed = false;
  const closed = open.closed.finally(() => {
    isClosed = true;
  });
  closed.catch(() => undefined);
  const look = async () => {
    if (isClosed) return 'closed';
    if (isOver()) return 'over';
    const now = card();
    if (now.status !== shown.status) await open.update(now);
    shown = now;
    return undefined;
  };
  try {
    const end = await poll(look, { signal, interval: () => POLL_MS });
    // A card that has failed says so.
    if (end === 'closed') await closed;
  } finally {
    await open.close();
  }
}

const TIME_IS_UP = {
  title: 'Set up from your phone',
  text: 'The time for the page on the phone is up. What was saved there is kept. To go on, open it again: a page that is still open takes the new code.',
};

const noNetworkError = () =>
  new SlipstreamError('UNREACHABLE', {
    what: 'This device has no address in a local network, so no phone can reach it.',
    next: 'Connect it to your router, or enter the settings here.',
  });

const tooManyCodesError = () =>
  new SlipstreamError('AUTH_FAILED', {
    what: 'The set-up from the phone was ended: the code was wrong five times.',
    next: 'Open it again; it then has a new code.',
  });
