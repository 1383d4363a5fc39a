import type { SlipstreamError } from '../errors/index.ts';
import type { ServiceHost } from '../host/port.ts';
import { storeFailure } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { LostFilm } from './lost-film.ts';

/** What is to be known of a film to tell that it failed. */
export type EndedFilm = Pick<LostFilm, 'title' | 'isStillPlaying'>;

interface ReportContext {
  readonly host: Pick<ServiceHost, 'dataFolder' | 'notify' | 'show'>;
  readonly log: Logger;
  /** What led to it. */
  readonly lines: readonly string[];
}

/**
 * Tells a failure during a film, and keeps it for who asks later what failed. One that has ended the film stays until it
 * is read; one that will end it does not stand before it.
 */
export async function reportFilmFailure(
  { title, isStillPlaying: playsStill }: EndedFilm,
  failure: SlipstreamError,
  { host, log, lines }: ReportContext,
): Promise<void> {
  const { what, next } = failure.explanation;
  await storeFailure(failure, { folder: host.dataFolder, log, lines, title });
  if (playsStill) await host.notify({ what, next, level: 'warning' });
  else await host.show({ title: title || 'The film has ended', text: `${what}\n\n${next}`.trim() });
}
