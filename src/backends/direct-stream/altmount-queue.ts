import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded, type HttpAnswer } from '../../io/http.ts';
import { poll } from '../../io/wait.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { quoted } from '../their-words.ts';
import { parseJson, refusal, wordsOf } from './replies.ts';
import type { Times } from './times.ts';

interface Options {
  readonly name: string;
  readonly base: string;
  readonly apiKey: string;
  readonly times: Times;
}

/** A submission that was broken off may still be on its way into the queue when its removal is asked for. */
const LOOKS = 2;

/**
 * Removes what AltMount has queued or made of an order, by its SABnzbd endpoint, which lists the same queue. Where that is
 * switched off (protocols.md §2.10), AltMount lets nothing be removed, and there is nothing of ours to be found.
 * @throws as Backend.remove
 */
export async function removeFromAltMount(
  options: Options,
  job: JobToRemove,
  signal: AbortSignal,
): Promise<Removal> {
  let looks = 0;
  const look = async () => {
    const ids = await idsOf(options, job, signal);
    return ids === 'off' || ids.length > 0 || ++looks >= LOOKS ? ids : undefined;
  };
  const ids = await poll(look, { signal, interval: () => options.times.again });
  if (ids === undefined || ids === 'off' || ids.length === 0) return 'absent';
  // A job only moves from the queue to the history, so it cannot slip through between the two.
  for (const id of ids)
    for (const mode of ['queue', 'history'])
      await call(
        options,
        { mode, name: 'delete', value: id, del_completed_files: '1' },
        v.object({}),
        signal,
      );
  const left = await idsOf(options, job, signal);
  if (left !== 'off' && left.length > 0) throw stillThere(options.name);
  return 'removed';
}

const scalar = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
);
const text = v.fallback(v.string(), '');
const Slot = v.object({ nzo_id: scalar, filename: text, name: text, nzb_name: text });
/** Somebody else's odd job must not hide ours. */
const slots = v.pipe(
  v.array(v.unknown()),
  v.transform((all) =>
    all.flatMap((each) => {
      const slot = v.safeParse(Slot, each);
      return slot.success ? [slot.output] : [];
    }),
  ),
);
const Queue = v.object({ queue: v.object({ slots }) });
const History = v.object({ history: v.object({ slots }) });

/** Its ids, waiting and finished; 'off': nobody lists them. */
async function idsOf(
  options: Options,
  { name }: JobToRemove,
  signal: AbortSignal,
): Promise<string[] | 'off'> {
  const wanted = name.normalize('NFC');
  const isOurs = (slot: v.InferOutput<typeof Slot>) =>
    [slot.filename, slot.name, slot.nzb_name].some(
      (each) => each.normalize('NFC').replace(/\.nzb$/i, '') === wanted,
    );
  const queue = await call(options, { mode: 'queue', limit: '10000' }, Queue, signal);
  if (queue === 'off') return 'off';
  const history = await call(options, { mode: 'history', limit: '1000' }, History, signal);
  if (history === 'off') return 'off';
  return [...queue.queue.slots, ...history.history.slots].filter(isOurs).map(({ nzo_id }) => nzo_id);
}

async function call<T>(
  { name, base, apiKey, times }: Options,
  parameters: Readonly<Record<string, string>>,
  schema: v.GenericSchema<unknown, T>,
  signal: AbortSignal,
): Promise<T | 'off'> {
  const query = new URLSearchParams({ ...parameters, output: 'json', apikey: apiKey });
  const answer = await fetchBounded({
    url: `${base}/sabnzbd/api?${query.toString()}`,
    ...{ who: name, timeout: times.request, signal },
  });
  if (answer.status === 404 || answer.status === 405) return 'off';
  const body = parseJson(answer.text());
  const objection = objectionIn(name, answer, body);
  if (objection !== undefined) throw objection;
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw badAnswer(name, `unexpected answer: ${parsed.issues[0].message}`);
  return parsed.output;
}

/** What whoever stands in front of it may answer. */
const OTHERS: ReadonlySet<number> = new Set([401, 403, 500, 502, 503, 504]);
const Refusal = v.object({ status: v.literal(false), error: v.fallback(v.string(), '') });

/** Its endpoint refuses with status 200 (§2.10); what stands in front of it does not. */
function objectionIn(name: string, answer: HttpAnswer, body: unknown): SlipstreamError | undefined {
  const said = v.safeParse(Refusal, body);
  const words = wordsOf(said.success ? said.output.error : answer.text());
  const { status } = answer;
  if (said.success && /api ?key|auth/i.test(words)) return refusal({ name, status: 401, words, isOwn: true });
  if (!said.success && OTHERS.has(status)) return refusal({ name, status, words, isOwn: false });
  if (!said.success && status >= 400) return badAnswer(name, `HTTP ${status}: ${words}`);
  if (!said.success) return undefined;
  return new SlipstreamError(
    'SERVICE_ERROR',
    { what: `${name} refused to remove the job${quoted(words)}.`, next: `Remove it in ${name}.` },
    { detail: `HTTP ${status}: ${words}` },
  );
}

const stillThere = (name: string) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${name} did not remove the job, though it did not refuse to.`,
    next: `Remove it in ${name}.`,
  });
