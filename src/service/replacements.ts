import type { ServiceHost } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { parsePlan, type ReplacementPlan } from '../resolver.ts';
import type { Settings } from '../settings/index.ts';
import { ActiveReplacement } from './active-replacement.ts';
import { type LostFilm } from './lost-film.ts';
import type { PlaybackMonitor } from './monitor.ts';
import { replacementRuleOf } from './policies.ts';
import { rememberBroken } from './remember-broken.ts';
import { nextStepOf, type ReplacementContext, replaceBySearch, replaceFilm } from './replace-film.ts';

interface Context extends Pick<ReplacementContext, 'backendsOf' | 'signal' | 'failed'> {
  readonly host: ServiceHost;
  readonly log: Logger;
  readonly settings: () => Settings;
  readonly monitor: () => PlaybackMonitor;
  /** Gives a stream's plan, once. */
  readonly takePlan: (streamUrl: string) => unknown;
  /** Whether bytes of a stream are proven to be lost. */
  readonly isDamaged: (streamUrl: string) => boolean;
  /** Begins what goes on beside the monitor. */
  readonly begin: (task: Promise<unknown>) => void;
}

/** What takes the places of films that were lost. */
export class Replacements {
  readonly #context: Context;
  /** Of films that were lost while they played still: what is made ready for them, or was in vain. By their URLs. */
  readonly #early = new Map<string, ActiveReplacement>();
  /** Films in whose place something is being made ready, by their URLs. */
  readonly #active = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** MonitorOptions.onLost */
  onLost(film: LostFilm): boolean {
    const { takePlan, isDamaged, settings, begin } = this.#context;
    const earlier = this.#early.get(film.url);
    if (earlier !== undefined) return earlier.continueAfterEnd(film);
    const plan = parsePlan(takePlan(film.url));
    if (plan === undefined) return false;
    const isBroken = film.isStillPlaying || isDamaged(film.url);
    const { attempts } = replacementRuleOf(settings());
    const way = nextStepOf(plan, film, { attempts, isBroken });
    begin(this.#replace(film, plan, { way, isBroken }));
    return way !== 'over';
  }

  /** A film has ended: of one in whose place nothing comes, nothing is left. */
  onEnded(url: string): void {
    this.#early.get(url)?.filmEnded();
    this.#early.delete(url);
    if (!this.#active.has(url)) this.#context.begin(this.#forget(url));
  }

  /** Never rejects. */
  async #replace(
    film: LostFilm,
    plan: ReplacementPlan,
    { way, isBroken }: { readonly way: ReturnType<typeof nextStepOf>; readonly isBroken: boolean },
  ): Promise<void> {
    const { host, settings, backendsOf, signal, log, failed, monitor } = this.#context;
    const replacement = new ActiveReplacement(film);
    if (way !== 'over') this.#active.add(film.url);
    if (way !== 'over' && film.isStillPlaying) this.#early.set(film.url, replacement);
    const rule = replacementRuleOf(settings());
    const { expect } = monitor();
    const context = { host, settings: settings(), rule, backendsOf, signal, log, failed, expect };
    try {
      if (isBroken) await rememberBroken(plan, host.dataFolder, log);
      if (way === 'replaced') await replaceFilm(replacement, plan, context);
      if (way === 'anew') await replaceBySearch(film, { host, failed });
    } catch (error) {
      if (!signal.aborted) log.error('a lost film could not be replaced', error);
    } finally {
      replacement.isOver = true;
      this.#active.delete(film.url);
    }
    if (way !== 'over' && monitor().current()?.url !== film.url) await this.#forget(film.url);
  }

  /** Never rejects. */
  async #forget(url: string): Promise<void> {
    const { host, signal, log } = this.#context;
    await host.films.forget(url).catch((error: unknown) => {
      if (!signal.aborted) log.error('what is known of a film that has ended is left', error);
    });
  }
}
