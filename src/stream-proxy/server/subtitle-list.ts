import * as v from 'valibot';
import type { Logger } from '../../log/index.ts';
import { MAX_SUBTITLES, type SubtitleRecord } from '../session/subtitles.ts';
import { FileName, HttpUrl, withoutUserInfo } from '../source/schemas.ts';
import type { SourceSpec } from '../source/source-spec.ts';
import { subtitleFileName } from './file-name.ts';

const SubtitleFile = v.object({ url: HttpUrl, name: FileName });

/** The subtitle files of a /prepare. What is unfit is left out: no subtitle may cost the film. */
export function subtitlesOf(film: SourceSpec, listed: readonly unknown[], log: Logger): SubtitleRecord[] {
  const stems: string[] = [];
  const files = new Map<string, SubtitleRecord>();
  for (const one of listed) {
    if (files.size >= MAX_SUBTITLES) break;
    const parsed = v.safeParse(SubtitleFile, one);
    const named = parsed.success ? subtitleFileName(parsed.output.name) : undefined;
    if (!parsed.success || named === undefined) {
      log.warning('prepare: a subtitle file is left out: its address or its name is of no use');
      continue;
    }
    const { stem, extension } = named;
    // Two folders may hold files of one name: the second is a stem of its own.
    const group = groupOf(stem, extension, stems, files);
    const source = subtitleSource(film, parsed.output.url);
    files.set(`${group} ${extension}`, { group, name: stem + extension, source });
  }
  return [...files.values()];
}

function groupOf(
  stem: string,
  extension: string,
  stems: string[],
  files: ReadonlyMap<string, SubtitleRecord>,
): number {
  const free = stems.findIndex((known, group) => known === stem && !files.has(`${group} ${extension}`));
  return free >= 0 ? free : stems.push(stem) - 1;
}

/** The film's headers hold what opens its server; another one must not see them. */
function subtitleSource(film: SourceSpec, url: string): SourceSpec {
  const isBeside = new URL(url).origin === new URL(film.url).origin;
  return withoutUserInfo({ url, headers: isBeside ? film.headers : {} });
}
