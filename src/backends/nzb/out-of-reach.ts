import { SlipstreamError } from '../../errors/index.ts';
import type { IndexerManager, Link } from '../../model/index.ts';

const NEXT = {
  Prowlarr: (who: string) =>
    `Enter the indexer's address in ${who} so that other devices reach it, or try again later.`,
  NZBHydra2: (who: string) => `Set the NZB access type in ${who} to "Proxy", or try again later.`,
};

/**
 * A manager of indexers sends this device on to a host that it cannot reach. It knows its indexers by addresses that may be
 * good for itself only (a container's name, "localhost"), and perhaps for a backend that runs beside it.
 */
export class OutOfReach extends SlipstreamError {
  readonly manager: IndexerManager;
  readonly #host: string;
  /** Its address holds keys, so no log of this error may show it. */
  readonly #link: Link;

  /** @param host As the manager knows the indexer. */
  constructor(
    manager: IndexerManager,
    link: Link,
    host: string,
    { cause, stale = false }: { readonly cause: SlipstreamError; readonly stale?: boolean },
  ) {
    const { software, who } = manager;
    super(
      'UNREACHABLE',
      { what: `${who} sends this device on to ${host}, which it cannot reach.`, next: NEXT[software](who) },
      { cause, detail: cause.message, transient: true, stale },
    );
    this.manager = manager;
    this.#host = host;
    this.#link = link;
  }

  /** The link to the manager, by which somebody else may be sent on as well. Holds keys. */
  get link(): Link {
    return this.#link;
  }

  /** The same, where another link of the release is out of date. */
  asStale(): OutOfReach {
    return new OutOfReach(this.manager, this.#link, this.#host, { cause: this, stale: true });
  }
}
