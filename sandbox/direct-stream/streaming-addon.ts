import type { TransportFault } from '../http/faults.ts';
import { openPort } from '../http/port.ts';
import { listener } from '../http/serve.ts';
import type { Answer, Handler, RecordedRequest } from '../http/types.ts';
import { cataloguePosts, type DirectPost } from './post.ts';
import { ServingScript } from './script.ts';

export interface AddonFaults {
  /** On lists and whatever else is no stream. */
  api: TransportFault[];
  /** On addresses that play. */
  webdav: TransportFault[];
}

/** A service that searches and streams by itself, as a test has it in hand. */
export interface StreamingAddon {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** What its indexers have, in the order of the lists; changed by a test at any time. */
  readonly posts: DirectPost[];
  readonly faults: AddonFaults;
  /** As {@link ServingScript.after}. */
  after(bytes: number, act: () => unknown): void;
  /** Moves its clock on, in milliseconds. */
  advance(milliseconds: number): void;
  /** It ends: connections are refused, and those that are open break off. */
  shut(): Promise<void>;
  /** It starts, at the same port, with what outlives its end. */
  open(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** What each of them is made of. */
export interface AddonParts {
  readonly posts: readonly DirectPost[];
  /** Milliseconds since the epoch, by a clock that tests move. */
  readonly now: () => number;
  readonly url: () => string;
  readonly script: ServingScript;
}

interface Software {
  readonly handle: Handler;
  readonly refuseKey: () => Answer;
  /** Which paths play. */
  readonly plays: RegExp;
  /** It starts: what it knew is gone. */
  readonly onOpen: () => void;
}

/** Starts one on loopback. @param posts Default: those of the catalogue. */
export async function startStreamingAddon(
  posts: readonly DirectPost[] | undefined,
  softwareOf: (parts: AddonParts) => Software,
): Promise<StreamingAddon> {
  const requests: RecordedRequest[] = [];
  const faults: AddonFaults = { api: [], webdav: [] };
  const own = [...(posts ?? cataloguePosts())];
  const script = new ServingScript();
  let ahead = 0;
  let url = '';
  const { handle, refuseKey, plays, onOpen } = softwareOf({
    posts: own,
    url: () => url,
    now: () => Date.now() + ahead,
    script,
  });
  const port = await openPort(
    listener({
      classify: (path) => (plays.test(path) ? 'webdav' : 'api'),
      handle,
      refuseKey,
      faults: (service) => faults[service === 'webdav' ? 'webdav' : 'api'],
      record: (request) => requests.push(request),
    }),
  );
  url = port.url;
  const shut = () => port.shut();
  const open = () => {
    onOpen();
    return port.open();
  };
  return {
    url,
    requests,
    faults,
    posts: own,
    shut,
    open,
    close: shut,
    after: (bytes, act) => {
      script.after(bytes, act);
    },
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    restart: async () => {
      await shut();
      await open();
    },
  };
}
