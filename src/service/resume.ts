import * as v from 'valibot';
import type { Properties, ServiceHost } from '../host/port.ts';
import { announced } from '../resolver.ts';
import type { Playing } from './monitor.ts';
import { RESTART_RULE } from './restart.ts';
import { goesOn } from './words.ts';

/**
 * What played when this version of the add-on was ended, for the one that follows. It stands in a property of the
 * media centre because that is lost exactly when it must be: with the media centre's own end. A file would have to
 * tell an update from that. It holds no secret: what plays is named by our own plugin call.
 */
const KEPT = 'slipstream.kept';

/** Milliseconds. An update takes a few seconds; whoever comes later would start a film that nobody waits for. */
const LIFETIME_MS = 60_000;

const Kept = v.object({
  version: v.literal(1),
  /** Milliseconds since the epoch. */
  at: v.number(),
  url: v.string(),
  origin: v.pipe(v.string(), v.nonEmpty()),
  time: v.pipe(v.number(), v.minValue(0)),
});

/** Keeps what plays, when it can be started anew at all. */
export async function keep({ url, origin, time }: Playing, properties: Properties): Promise<void> {
  if (origin === '') return;
  const kept: v.InferOutput<typeof Kept> = {
    ...{ version: 1, at: Date.now(), url: announced(url), origin, time },
  };
  await properties.set(KEPT, JSON.stringify(kept));
}

/** What was kept, once: it is gone afterwards. Undefined when there is nothing of use. */
async function takeKept(properties: Properties): Promise<Playing | undefined> {
  const text = await properties.get(KEPT);
  if (text === '') return undefined;
  await properties.clear(KEPT);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Kept), text);
  if (!parsed.success) return undefined;
  const age = Date.now() - parsed.output.at;
  return age >= 0 && age < LIFETIME_MS ? parsed.output : undefined;
}

/**
 * Resumes what played when the version before this one was ended: at once, when it has ended meanwhile. While the
 * player still lives on what it had read ahead, the film is left to it, and given back for the monitor to watch: it
 * resumes at the point where that is used up.
 */
export async function resumeKept({
  properties,
  player,
  notify,
}: Pick<ServiceHost, 'properties' | 'player' | 'notify'>): Promise<Playing | undefined> {
  const kept = await takeKept(properties);
  if (kept === undefined) return undefined;
  const state = await player.state();
  if (state !== undefined)
    return announced(state.file) === kept.url ? { ...kept, url: state.file } : undefined;
  const position = Math.max(0, kept.time - RESTART_RULE.stepBack);
  await player.play(kept.origin, position);
  await notify(goesOn(position));
  return undefined;
}
