import { pause } from '../../../src/io/wait.ts';
import type { Region } from '../../support/fault-server/index.ts';
import { RawClient, type RawHead, SilenceError } from '../../support/raw-client.ts';
import type { Judge } from './judge.ts';
import type { Promised, Step } from './scenario.ts';

// A player that does what a plan says, and shows the judge everything it gets.

export interface PlayerJob {
  readonly port: number;
  readonly path: string;
  /** Of the file. */
  readonly size: number;
  readonly judge: Judge;
  readonly promise: Promised;
  /** Milliseconds without a head, or without a byte of a body, after which the proxy hangs. */
  readonly patience: { readonly head: number; readonly byte: number };
  /** Of the plan's pauses. */
  readonly factor: number;
  readonly signal: AbortSignal;
  readonly trace: (line: string) => void;
}

/** Bytes that are read of an answer that is only asked for to see it. */
const GLIMPSE = 3_000;
/** Bytes at a time. */
const SIP = 256 * 1024;
/** After a cut a player comes back, but so often at most in one answer and in all. */
const RETURNS = 2;
const MOST_CUTS: Readonly<Record<Promised, number>> = { everything: 3, 'up to holes': 8, 'the truth': 4 };

type Open = Step & { readonly do: 'open' };

/** An answer that is being read. */
interface Slot {
  readonly what: string;
  client: RawClient;
  position: number;
  readonly last: number;
  returns: number;
  /** Cut for good. */
  dead: boolean;
}

export class Player {
  readonly #job: PlayerJob;
  readonly #slots = new Map<string, Slot>();
  readonly #clients = new Set<RawClient>();
  /** Bytes that came. */
  received = 0;
  /** Connections that ended before their answer. */
  cuts = 0;

  constructor(job: PlayerJob) {
    this.#job = job;
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.#job.signal.throwIfAborted();
      if (this.cuts >= MOST_CUTS[this.#job.promise]) return;
      await this.#take(step);
    }
  }

  /** After the session's end: the answers that neither end nor break off. What was sent before may still come. */
  async stillOpen(milliseconds: number): Promise<string[]> {
    const left: string[] = [];
    for (const slot of this.#slots.values())
      if (!slot.dead && !(await drained(slot, milliseconds))) left.push(slot.what);
    return left;
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'open':
        return this.#openSlot(step);
      case 'read':
        return this.#read(step.slot, step.bytes);
      case 'pause':
        return pause(step.milliseconds * this.#job.factor, this.#job.signal);
      case 'leave':
        this.#slots.get(step.slot)?.client.close(step.how);
        this.#slots.delete(step.slot);
        return;
      case 'ask':
        return this.#ask(step);
      case 'both':
        await Promise.all([this.run(step.left), this.run(step.right)]);
    }
  }

  #connect(): RawClient {
    const client = new RawClient(this.#job.port);
    this.#clients.add(client);
    return client;
  }

  #send(client: RawClient, method: string, headers: Readonly<Record<string, string>>): void {
    client.send(method, this.#job.path, { host: `127.0.0.1:${this.#job.port}`, ...headers });
  }

  async #openSlot({ slot: name, first, last = this.#job.size - 1, whole }: Open): Promise<void> {
    const before = this.#slots.get(name);
    // Kodi goes on with a connection whose answer it has read to the end, and drops any other.
    const reused =
      before !== undefined && !before.dead && before.position > before.last ? before.client : undefined;
    if (reused === undefined) before?.client.close();
    const range = last === this.#job.size - 1 ? `bytes=${first}-` : `bytes=${first}-${last}`;
    const what = whole === true ? `GET ${name} without a range` : `GET ${name} ${range}`;
    const slot: Slot = {
      what,
      client: reused ?? this.#connect(),
      position: first,
      last,
      returns: 0,
      dead: false,
    };
    this.#slots.set(name, slot);
    const headers = whole === true ? {} : { range };
    this.#send(slot.client, 'GET', headers);
    await this.#await(slot, whole === true ? 'all' : { first, last }, reused !== undefined, headers);
  }

  /** The head of the slot's answer, on a fresh connection where an old one had ended meanwhile. */
  async #await(
    slot: Slot,
    expected: Region | 'all',
    reused: boolean,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    let head = await this.#head(slot.what, slot.client);
    if (head === 'over' && reused) {
      slot.client = this.#connect();
      this.#send(slot.client, 'GET', headers);
      head = await this.#head(slot.what, slot.client);
    }
    if (head === 'over') await this.#cut(slot);
    else slot.dead = head === undefined || !this.#job.judge.head(slot.what, head, expected);
  }

  /** Undefined: none came in time, and the judge knows. */
  async #head(what: string, client: RawClient): Promise<RawHead | 'over' | undefined> {
    const { judge, patience, trace } = this.#job;
    trace(what);
    try {
      const head = await client.head(patience.head);
      trace(`${what}: ${head === undefined ? 'ended without an answer' : head.status}`);
      return head ?? 'over';
    } catch (error) {
      if (!(error instanceof SilenceError)) throw error;
      judge.object(`${what}: hangs: no head within ${patience.head} ms`);
      return undefined;
    }
  }

  async #read(name: string, bytes: number): Promise<void> {
    const slot = this.#slots.get(name);
    const end = slot === undefined ? 0 : Math.min(slot.last + 1, slot.position + bytes);
    while (slot !== undefined && !slot.dead && slot.position < end) {
      const chunk = await this.#bytes(slot, Math.min(SIP, end - slot.position));
      if (chunk === 'over') await this.#cut(slot);
      else if (chunk === undefined) slot.dead = true;
      else {
        this.#job.judge.bytes(slot.position, chunk);
        slot.position += chunk.length;
        this.received += chunk.length;
      }
    }
    if (slot !== undefined && !slot.dead && slot.position > slot.last) this.#atEnd(slot);
  }

  #atEnd({ what, client }: Slot): void {
    if (client.pending > 0) this.#job.judge.object(`${what}: more came than was promised`);
  }

  /** Undefined: none came in time, and the judge knows. */
  async #bytes(slot: Slot, most: number): Promise<Buffer | 'over' | undefined> {
    const { judge, patience } = this.#job;
    try {
      return (await slot.client.read(most, patience.byte)) ?? 'over';
    } catch (error) {
      if (!(error instanceof SilenceError)) throw error;
      judge.object(`${slot.what}: hangs at byte ${slot.position}: nothing for ${patience.byte} ms`);
      return undefined;
    }
  }

  /** The connection ended too early: comes back at the missing byte, as a player does. */
  async #cut(slot: Slot): Promise<void> {
    const { judge, size, trace, promise } = this.#job;
    trace(`${slot.what}: cut at byte ${slot.position}`);
    judge.cut(slot.what, slot.position);
    slot.client.close();
    this.cuts++;
    if (slot.returns >= RETURNS || this.cuts >= MOST_CUTS[promise]) {
      slot.dead = true;
      return;
    }
    slot.returns++;
    const { position: first, last } = slot;
    const headers = { range: last === size - 1 ? `bytes=${first}-` : `bytes=${first}-${last}` };
    slot.client = this.#connect();
    this.#send(slot.client, 'GET', headers);
    await this.#await(slot, { first, last }, false, headers);
  }

  async #ask({ method, headers, expect }: Step & { readonly do: 'ask' }): Promise<void> {
    const { judge, size } = this.#job;
    const what = `${method} ${JSON.stringify(headers)}`;
    const client = this.#connect();
    this.#send(client, method, headers);
    const head = await this.#head(what, client);
    const first = typeof expect === 'object' ? expect.first : 0;
    if (head === 'over') judge.cut(what, first);
    else if (head !== undefined && judge.head(what, head, expect)) {
      const last =
        typeof expect === 'object' ? expect.last : expect === 'all' && method === 'GET' ? size - 1 : -1;
      const slot: Slot = { what, client, position: first, last, returns: RETURNS, dead: false };
      await this.#glimpse(slot);
    }
    client.close();
  }

  async #glimpse(slot: Slot): Promise<void> {
    this.#slots.set(slot.what, slot);
    await this.#read(slot.what, GLIMPSE);
    this.#slots.delete(slot.what);
  }
}

async function drained(slot: Slot, milliseconds: number): Promise<boolean> {
  try {
    while (slot.position <= slot.last) {
      const chunk = await slot.client.read(SIP, milliseconds);
      if (chunk === undefined) return true;
      slot.position += chunk.length;
    }
    return true;
  } catch (error) {
    if (error instanceof SilenceError) return false;
    throw error;
  }
}
