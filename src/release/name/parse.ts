import { type Quality, UNKNOWN_QUALITY } from '../../model/quality.ts';
import { cleanName } from './clean.ts';
import { COMPLETE } from './complete.ts';
import { EDITION, EDITION_READERS } from './edition.ts';
import { groupAtEnd, type ReleaseGroup } from './group.ts';
import { LANGUAGE_READERS, LANGUAGES } from './languages.ts';
import { type Layout, layOut } from './layout.ts';
import { YEAR_LIKE } from './numbering.ts';
import { isObfuscated } from './obfuscation.ts';
import { PICTURE, PICTURE_READERS } from './picture.ts';
import { type Draft, qualityOf, toQuality } from './quality.ts';
import { STREAMING_SERVICES } from './services.ts';
import { SOUND, SOUND_READERS } from './sound.ts';
import { FILLER, SOURCE } from './source.ts';
import { phraseBook, readTags, type Tag } from './tags.ts';
import { cleanTitle, titlesOf } from './title.ts';
import { type Bracket, type Token, tokenise } from './tokens.ts';

/** Earlier tables win where two hold the same phrase. */
const BOOK = phraseBook([
  ...PICTURE,
  ...SOUND,
  ...SOURCE,
  ...EDITION,
  ...COMPLETE,
  ...LANGUAGES,
  ...STREAMING_SERVICES,
  ...FILLER,
]);
const READERS = [...PICTURE_READERS, ...SOUND_READERS, ...LANGUAGE_READERS, ...EDITION_READERS];

/** Reads what a release's name tells. Never throws; a name that tells nothing gives its own text as the title. */
export function parseReleaseName(name: string): Quality {
  const { text, container } = cleanName(name);
  if (isObfuscated(text)) {
    return { ...UNKNOWN_QUALITY, ...(container !== undefined && { container }), obfuscated: true };
  }
  const tokens = tokenise(text);
  const tags = readTags(tokens, BOOK, READERS);
  const layout = layOut(tokens, tags);
  const draft = read(text, tokens, tags, layout);
  draft.container = container ?? draft.container;
  draft.disc ||= container === 'iso' || container === 'img';
  return toQuality(draft);
}

function read(text: string, tokens: readonly Token[], all: readonly Tag[], layout: Layout): Draft {
  const group = groupOf(text, tokens, all, layout);
  const tags = layout.tags.filter(
    (tag) => group === undefined || tag.to <= group.from || tag.from >= group.to,
  );
  const titles = titlesOf(text, tokens, layout.title.from, titleStop(layout, group));
  const { numbering, dated, year } = layout;
  const draft = qualityOf(tags, tokens, numbering?.disc === true);
  const front =
    layout.head === undefined || group?.from === layout.head.first ? '' : inFront(text, layout.head);
  draft.title = (EAST_ASIAN.test(front) && front) || titles.title || cleanTitle(text) || text;
  draft.otherTitles = draft.title === front ? [titles.title, ...titles.otherTitles] : titles.otherTitles;
  draft.year = year ?? seasonsYear(numbering?.seasons);
  draft.date = dated?.date;
  draft.group = group?.name;
  // "COMPLETE.PAL.DVD9" is about the disc, not about a season.
  if (draft.disc && numbering === undefined) draft.complete = false;
  if (numbering !== undefined) {
    draft.seasons = numbering.seasons;
    draft.episodes = numbering.episodes;
    draft.revision = Math.max(draft.revision, numbering.revision ?? 0);
  }
  return draft;
}

/** "S2016E01": a season that is counted by its year. */
function seasonsYear([season, ...others]: readonly number[] = []): number | undefined {
  return season !== undefined && others.length === 0 && YEAR_LIKE.test(String(season)) ? season : undefined;
}

/** A group that stands directly behind the title ends it as well. */
const titleStop = ({ title }: Layout, group: ReleaseGroup | undefined) =>
  group !== undefined && group.from > title.from ? Math.min(title.to, group.from) : title.to;

/** The group at the end, or else the one in the brackets in front. */
function groupOf(
  text: string,
  tokens: readonly Token[],
  tags: readonly Tag[],
  layout: Layout,
): ReleaseGroup | undefined {
  const told = layout.numbering !== undefined || layout.dated !== undefined || layout.year !== undefined;
  const anchored = told || layout.tags.length > 0;
  const from = Math.max(
    layout.groupFrom + (told ? 1 : 0),
    1,
    layout.numbering?.to ?? 0,
    layout.dated?.to ?? 0,
  );
  const firstTag = Math.min(tokens.length, ...layout.tags.map((tag) => tag.from));
  const atEnd = anchored ? groupAtEnd({ text, tokens, tags, from, firstTag }) : undefined;
  return atEnd ?? groupInFront(text, layout);
}

const inFront = (text: string, head: Bracket) => text.slice(head.from, head.to).trim();

/** "[灯塔之夜].Night.of.the.Beacon.2018…-INV": with a group behind, such brackets hold a title. */
const EAST_ASIAN = /^[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\d\s]{2,40}$/;

function groupInFront(text: string, layout: Layout): ReleaseGroup | undefined {
  const head = layout.head;
  if (head === undefined) return undefined;
  return { from: head.first, to: head.end, name: inFront(text, head) };
}
