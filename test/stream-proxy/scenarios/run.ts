import { mkvClip, mp4Clip } from '../../../sandbox/clips/index.ts';
import { deadlineSignal, poll } from '../../../src/io/wait.ts';
import type { RunningProxy, SessionReport } from '../../../src/stream-proxy.ts';
import { craftedFile } from '../../media/matroska/crafted.ts';
import {
  bufferContent,
  type Content,
  clipContent,
  type FaultServer,
  NO_FAULTS,
  opaqueContent,
  packetContent,
  type Region,
  scaleScript,
  startFaultServer,
} from '../../support/fault-server/index.ts';
import { askPrepare, startTestProxy } from '../../support/proxy.ts';
import { type Case, Judge } from './judge.ts';
import { Player } from './player.ts';
import { scenarioPolicies } from './policies.ts';
import type { FilePlan, Scenario, UpstreamPlan } from './scenario.ts';

export interface Outcome {
  /** What was wrong; nothing, if all is well. */
  readonly objections: readonly string[];
  /** Whether /prepare handed a stream over; refusing is right while the upstream is in trouble. */
  readonly prepared: boolean;
  /** Bytes that the player received. */
  readonly received: number;
  readonly cuts: number;
  /** Bytes in fills. */
  readonly filled: number;
  /** How often faults struck. */
  readonly struck: number;
  readonly mostOpen: number;
  readonly milliseconds: number;
}

export interface RunOptions {
  /** By which all times of the policies and of the faults are multiplied. */
  readonly factor: number;
  readonly trace?: (line: string) => void;
}

/** Of life's times. Slower is surer on a busy machine, and takes longer. */
export const FACTOR = 0.2;
/** Real milliseconds for a busy machine, on top of every deadline of the policies. */
const SLACK = 5_000;
/** Milliseconds for a whole scenario. */
const DEADLINE = 120_000;
const CHECK = 10;

/** Runs a scenario against a proxy of its own, over real sockets. Rejects only when the machinery itself fails. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const limit = deadlineSignal(
    new AbortController().signal,
    DEADLINE,
    () => new Error('the scenario does not end'),
  );
  const run = new Run(scenario, options, limit.signal);
  try {
    return await run.all();
  } finally {
    limit.done();
  }
}

class Run {
  readonly #scenario: Scenario;
  readonly #factor: number;
  readonly #trace: (line: string) => void;
  readonly #signal: AbortSignal;
  readonly #judge: Judge;
  readonly #content: Content;
  readonly #began = performance.now();

  constructor(scenario: Scenario, { factor, trace = () => undefined }: RunOptions, signal: AbortSignal) {
    this.#scenario = scenario;
    this.#factor = factor;
    this.#trace = (line) => {
      trace(`${(performance.now() - this.#began).toFixed(0).padStart(6)} ms  ${line}`);
    };
    this.#signal = signal;
    this.#content = contentOf(scenario.file);
    this.#judge = new Judge(caseOf(scenario, this.#content));
  }

  async all(): Promise<Outcome> {
    const server = await startUpstream(this.#scenario, this.#content, this.#factor);
    try {
      return await this.#withProxy(server);
    } finally {
      await server.close();
    }
  }

  async #withProxy(server: FaultServer): Promise<Outcome> {
    const policies = scenarioPolicies(this.#factor, this.#scenario.memory);
    const proxy = await startTestProxy({ policies });
    const { read, fills } = policies;
    // A server that calls missing what it had is waited for besides.
    const slack = SLACK + (mayCallMissing(this.#scenario) ? fills.giveUpAfter : 0);
    const player = (path: string) =>
      new Player({
        port: proxy.port,
        path,
        size: this.#content.size,
        judge: this.#judge,
        promise: this.#scenario.promise,
        patience: { head: read.firstByteTimeout + slack, byte: read.nextByteTimeout + slack },
        factor: this.#factor,
        signal: this.#signal,
        trace: this.#trace,
      });
    try {
      const prepared = await this.#prepare(proxy, server);
      if (prepared === undefined) return this.#outcome(server, undefined, undefined);
      const viewer = player(new URL(prepared.url).pathname);
      return await this.#play(proxy, server, viewer, prepared.id);
    } finally {
      for (const line of proxy.lines) this.#trace(`log: ${line}`);
      await proxy.close();
      await this.#gone('connections to the upstream after the proxy has closed', () => server.connections);
    }
  }

  async #prepare(proxy: RunningProxy, server: FaultServer): Promise<{ url: string; id: string } | undefined> {
    const { script, from } = this.#scenario.upstream;
    const answer = await askPrepare(proxy, {
      url: server.url,
      name: `Sintel.${EXTENSIONS[this.#scenario.file.container]}`,
    });
    if (answer.status === 200) {
      if (from === 'play') server.play(scaleScript(script, this.#factor));
      return answer.json() as { url: string; id: string };
    }
    const refusal = answer.json() as { code?: unknown };
    this.#trace(`prepare: ${answer.status} ${answer.body.toString()}`);
    if (from === 'play' || typeof refusal.code !== 'string')
      this.#judge.object(`prepare: ${answer.status} ${answer.body.toString()}`);
    return undefined;
  }

  async #play(proxy: RunningProxy, server: FaultServer, viewer: Player, id: string): Promise<Outcome> {
    try {
      await viewer.run(this.#scenario.player.steps);
      const [report] = proxy.sessions();
      this.#judge.fills(fillsOf(report));
      for (const { what } of report?.decisions ?? []) this.#trace(`decision: ${what}`);
      proxy.endSession(id);
      await this.#gone('answers of the upstream after the session has ended', () => server.open);
      for (const what of await viewer.stillOpen(SLACK))
        this.#judge.object(`${what}: stays open after the session has ended`);
      return this.#outcome(server, viewer, report);
    } finally {
      viewer.close();
    }
  }

  /** Something must come to nothing soon. */
  async #gone(what: string, count: () => number): Promise<void> {
    const gone = await poll(() => Promise.resolve(count() === 0 ? true : undefined), {
      signal: this.#signal,
      interval: () => CHECK,
      deadline: SLACK,
    });
    if (gone === undefined) this.#judge.object(`${count()} ${what}`);
  }

  #outcome(server: FaultServer, viewer: Player | undefined, report: SessionReport | undefined): Outcome {
    for (const { at, range, status, first, sent, endedAt, ending } of server.requests)
      this.#trace(
        `upstream at ${at.toFixed(0)} ms: ${range ?? 'no range'}: ${status}, ${sent} bytes from ${first}, ` +
          `${ending ?? 'open'} after ${((endedAt ?? at) - at).toFixed(0)} ms`,
      );
    return {
      objections: this.#judge.objections,
      prepared: viewer !== undefined,
      received: viewer?.received ?? 0,
      cuts: viewer?.cuts ?? 0,
      filled: fillsOf(report).reduce((sum, { first, last }) => sum + last - first + 1, 0),
      struck: [...server.struck.values()].reduce((sum, times) => sum + times, 0),
      mostOpen: server.mostOpen,
      milliseconds: performance.now() - this.#began,
    };
  }
}

/** What the session has made up. */
function fillsOf(report: SessionReport | undefined): readonly Region[] {
  return (report as { readonly fills?: readonly Region[] } | undefined)?.fills ?? [];
}

const EXTENSIONS = {
  mkv: 'mkv',
  'mkv-voids': 'mkv',
  'mkv-clusters': 'mkv',
  'mp4-front': 'mp4',
  'mp4-tail': 'mp4',
  ts: 'ts',
  opaque: 'bin',
} as const;

function contentOf({ container, size, seconds }: FilePlan): Content {
  const name = 'Sintel';
  switch (container) {
    case 'mkv':
      return clipContent(mkvClip({ name, seconds, size }));
    case 'mkv-voids':
      return bufferContent(craftedFile('voids', size));
    case 'mkv-clusters':
      return bufferContent(craftedFile('clusters', size));
    case 'mp4-front':
      return clipContent(mp4Clip({ name, seconds, size, index: 'front' }));
    case 'mp4-tail':
      return clipContent(mp4Clip({ name, seconds, size, index: 'tail' }));
    case 'ts':
      return packetContent(size);
    case 'opaque':
      return opaqueContent(size);
  }
}

function caseOf({ file, upstream, promise }: Scenario, content: Content): Case {
  const isMp4 = file.container.startsWith('mp4');
  return {
    content,
    missing: upstream.script.missing,
    untouchable: isMp4 ? outsideMedia(content) : [],
    promise,
  };
}

/** Everything of an MP4 but what its mdat holds (ISO 14496-12 §4.2, §8.1.1). */
function outsideMedia(content: Content): Region[] {
  const regions: Region[] = [];
  for (let at = 0; at + 8 <= content.size; ) {
    const head = Buffer.from(content.read(at, Math.min(at + 15, content.size - 1)));
    const wide = head.readUInt32BE(0) === 1;
    const size = wide ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    const isMedia = head.toString('latin1', 4, 8) === 'mdat';
    regions.push({ first: at, last: isMedia ? at + (wide ? 15 : 7) : at + size - 1 });
    at += size;
  }
  return regions;
}

async function startUpstream({ upstream }: Scenario, content: Content, factor: number): Promise<FaultServer> {
  const { script, from, redirect } = upstream;
  return startFaultServer({
    files: [{ path: '/content/film', content, ...validatorsOf(upstream) }],
    // What proves the file goes on as the stream: what is lost for good is lost for it as well.
    script:
      from === 'prepare'
        ? scaleScript(script, factor)
        : { ...NO_FAULTS, dialect: script.dialect, missing: script.missing },
    redirect,
  });
}

function validatorsOf({ validators }: UpstreamPlan): { etag?: string; lastModified?: string } {
  const lastModified = 'Thu, 01 Jan 2026 00:00:00 GMT';
  if (validators === 'none') return {};
  return validators === 'both' ? { lastModified, etag: '"version-0"' } : { lastModified };
}

/** Whether its upstream can say 404. */
const mayCallMissing = ({ upstream: { script } }: Scenario): boolean =>
  script.missing.length > 0 ||
  script.late.some(({ status }) => status === 404) ||
  script.faults.some((fault) => fault.kind === 'status' && fault.status === 404);
