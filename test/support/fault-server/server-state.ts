import type { Socket } from 'node:net';
import { resetSocket } from '../reset-socket.ts';
import { type Content, otherVersion } from './content.ts';
import { FaultBudget } from './fault-budget.ts';
import type { FileFacts } from './head.ts';
import { RequestLog } from './log.ts';
import type { Fault, LateRegion, Region, Script } from './script.ts';
import { TokenBucket } from './token-bucket.ts';

/** A file as it is offered. */
export interface ServedFile {
  /** "/content/film.mkv". */
  readonly path: string;
  readonly content: Content;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Everything that the connections of one server share. */
export class ServerState {
  readonly log = new RequestLog();
  readonly sockets = new Set<Socket>();
  readonly #files: Map<string, ServedFile>;
  readonly #began = performance.now();
  #script: Script;
  #budget = new FaultBudget();
  #total: TokenBucket | undefined;
  /** When somebody first asked for a late region. */
  #asked = new Map<LateRegion, number>();
  #nonce = 0;

  constructor(files: readonly ServedFile[], script: Script) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#script = script;
    this.script = script;
  }

  get script(): Script {
    return this.#script;
  }

  /** From now on this one; its budgets are fresh. */
  set script(script: Script) {
    this.#script = script;
    this.#budget = new FaultBudget();
    this.#asked = new Map();
    this.#total = script.pace.total === undefined ? undefined : new TokenBucket(script.pace.total);
  }

  get total(): TokenBucket | undefined {
    return this.#total;
  }

  /** Milliseconds since the start. */
  now(): number {
    return performance.now() - this.#began;
  }

  /** Another number with each call. */
  nonce(): number {
    return ++this.#nonce;
  }

  file(path: string): ServedFile | undefined {
    return this.#files.get(path);
  }

  /** All connections break, and all files become other versions of themselves, as their validators tell. */
  change(size: number | undefined): void {
    for (const socket of this.sockets) resetSocket(socket);
    for (const [path, file] of this.#files) this.#files.set(path, changed(file, size, this.nonce()));
  }

  /** The first fault of a kind that strikes now. */
  strike<K extends Fault['kind']>(kind: K): Extract<Fault, { kind: K }> | undefined {
    return this.#script.faults.find(
      (fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind && this.#budget.strikes(fault),
    );
  }

  strikes(fault: Fault): boolean {
    return this.#budget.strikes(fault);
  }

  /** How often each fault of the script has struck. */
  get struck(): ReadonlyMap<Fault, number> {
    return this.#budget.struck;
  }

  missingAt(position: number): Region | undefined {
    return this.#script.missing.find((region) => isIn(region, position));
  }

  /** The late region at this position that has not come yet; asking makes it come. */
  lateAt(position: number): LateRegion | undefined {
    const region = this.#script.late.find((each) => isIn(each, position));
    if (region === undefined) return undefined;
    const asked = this.#asked.get(region) ?? this.now();
    this.#asked.set(region, asked);
    return this.now() - asked < region.milliseconds ? region : undefined;
  }
}

const isIn = ({ first, last }: Region, position: number) => first <= position && position <= last;

function changed(file: ServedFile, size: number | undefined, nonce: number): ServedFile {
  return {
    path: file.path,
    content: otherVersion(file.content, size),
    ...(file.etag === undefined ? {} : { etag: `"version-${nonce}"` }),
    ...(file.lastModified === undefined ? {} : { lastModified: new Date(nonce * 86_400_000).toUTCString() }),
  };
}

export const factsOf = ({ content, etag, lastModified }: ServedFile): FileFacts => ({
  size: content.size,
  ...(etag === undefined ? {} : { etag }),
  ...(lastModified === undefined ? {} : { lastModified }),
});
