import { pause } from '../../../src/io/wait.ts';
import type { Content } from './content.ts';
import type { SeenRequest } from './log.ts';
import type { Cut, Fault, Region } from './script.ts';
import type { ServerConnection } from './server-connection.ts';
import type { ServerState } from './server-state.ts';
import { TokenBucket } from './token-bucket.ts';

// One body on its way, with everything that may happen to it at some byte.

export interface BodyJob {
  readonly world: ServerState;
  readonly wire: ServerConnection;
  readonly seen: SeenRequest;
  readonly content: Content;
  readonly range: Region;
  readonly chunked: boolean;
  /** Closes the port for so many milliseconds. */
  readonly goAway: (milliseconds: number) => void;
}

type PlacedFault = Extract<Fault, { at: unknown }>;

/** Something that waits at a byte of the body. */
interface Stop {
  readonly at: number;
  readonly cause: PlacedFault | Region;
}

const CHUNK = 64 * 1024;
/** A paced body comes in small pieces, or its pace would be a row of jerks. */
const PACED_CHUNK = 16 * 1024;

/** Sends the body; whether the answer is complete and the connection may be used again. */
export async function sendBody(job: BodyJob): Promise<boolean> {
  const { last } = job.range;
  const { pace } = job.world.script;
  const own = pace.perConnection === undefined ? undefined : new TokenBucket(pace.perConnection);
  const passed = new Set<PlacedFault | Region>();
  for (let position = job.range.first; position <= last; ) {
    const stop = nextStop(job, position, passed);
    if (stop?.at === position) {
      passed.add(stop.cause);
      if (await meet(job, stop.cause)) return false;
      continue;
    }
    const paced = own ?? job.world.total;
    const end = Math.min(last, position + (paced ? PACED_CHUNK : CHUNK) - 1, (stop?.at ?? Infinity) - 1);
    await own?.pass(end - position + 1, job.wire.gone);
    await job.world.total?.pass(end - position + 1, job.wire.gone);
    await job.wire.send(framed(job, job.content.read(position, end)), job.world.script.idle);
    job.seen.sent += end - position + 1;
    position = end + 1;
  }
  if (job.chunked) await job.wire.send(LAST_CHUNK);
  return true;
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function framed({ chunked }: BodyJob, bytes: Uint8Array): Uint8Array {
  if (!chunked) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** The next place at or after the position at which something may happen. Looked up anew: the script may change. */
function nextStop(
  { world, range }: BodyJob,
  position: number,
  passed: ReadonlySet<unknown>,
): Stop | undefined {
  const placed = world.script.faults.filter((fault): fault is PlacedFault => 'at' in fault);
  const stops: Stop[] = [
    ...placed.map((fault) => ({ at: placeOf(fault, range.first), cause: fault })),
    ...world.script.missing.map((region) => ({ at: region.first, cause: region })),
    ...world.script.late.map((region) => ({ at: region.first, cause: region })),
  ];
  let next: Stop | undefined;
  for (const stop of stops)
    if (
      stop.at >= position &&
      stop.at <= range.last &&
      !passed.has(stop.cause) &&
      stop.at < (next?.at ?? Infinity)
    )
      next = stop;
  return next;
}

const placeOf = ({ at }: PlacedFault, first: number): number =>
  'after' in at ? first + at.after : at.position;

/** The body has come to this place; whether it ends here. */
async function meet(job: BodyJob, cause: PlacedFault | Region): Promise<boolean> {
  const { world, wire } = job;
  if (!('kind' in cause)) return meetGap(job, cause);
  if (!world.strikes(cause)) return false;
  switch (cause.kind) {
    case 'stall':
      await pause(cause.milliseconds, wire.gone);
      return false;
    case 'cut':
      await cut(job, cause.how);
      return true;
    case 'away':
      await wire.flushed();
      job.goAway(cause.milliseconds);
      return true;
    case 'change':
      wire.reason = 'the file changed';
      world.change(cause.size);
      return true;
  }
}

/** A body that runs into what is not there ends as the dialect's do. */
async function meetGap(job: BodyJob, { first }: Region): Promise<boolean> {
  const absent = job.world.missingAt(first) ?? job.world.lateAt(first);
  if (absent === undefined) return false;
  await cut(job, job.world.script.dialect === 'nzbdav' ? 'fin' : 'reset');
  return true;
}

async function cut({ wire, chunked }: BodyJob, how: Cut): Promise<void> {
  await wire.flushed();
  if (how === 'reset') {
    wire.reset('cut');
    return;
  }
  if (how === 'clean' && chunked) await wire.send(LAST_CHUNK);
  wire.finish('cut');
}
