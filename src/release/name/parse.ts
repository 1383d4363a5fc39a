import { AUDIO_FORMATS, EDITIONS, HDR_FORMATS, type Quality, UNKNOWN_QUALITY } from '../../model/quality.ts';
import { type Bare, bareName } from './clean.ts';
import { COMPLETE } from './complete.ts';
import { EDITION } from './edition.ts';
import { type Group, groupAtEnd } from './group.ts';
import { LANGUAGE_READERS, LANGUAGES, tongues } from './languages.ts';
import { type Layout, layOut } from './layout.ts';
import { isObfuscated } from './obfuscation.ts';
import { PICTURE, PICTURE_READERS } from './picture.ts';
import { SERVICES } from './services.ts';
import { SOUND, SOUND_READERS } from './sound.ts';
import { FILLER, SOURCE } from './source.ts';
import { type Facts, phraseBook, readTags, type Tag } from './tags.ts';
import { cleanTitle, titlesOf } from './title.ts';
import { type Token, tokenise } from './tokens.ts';

/** Earlier tables win where two hold the same phrase. */
const BOOK = phraseBook([
  ...PICTURE,
  ...SOUND,
  ...SOURCE,
  ...EDITION,
  ...COMPLETE,
  ...LANGUAGES,
  ...SERVICES,
  ...FILLER,
]);
const READERS = [...PICTURE_READERS, ...SOUND_READERS, ...LANGUAGE_READERS];

/** Reads what a release's name tells. Never throws; a name that tells nothing gives its own text as the title. */
export function parseReleaseName(name: string): Quality {
  const bare = bareName(name);
  const container = bare.container === undefined ? {} : { container: bare.container };
  if (isObfuscated(bare.text)) return { ...UNKNOWN_QUALITY, ...container, obfuscated: true };
  const tokens = tokenise(bare.text);
  const tags = readTags(tokens, BOOK, READERS);
  const layout = layOut(tokens, tags);
  return { ...read(bare, tokens, tags, layout), ...container };
}

function read(bare: Bare, tokens: readonly Token[], all: readonly Tag[], layout: Layout): Quality {
  const group = groupOf(bare.text, tokens, all, layout);
  const tags = layout.tags.filter(
    (tag) => group === undefined || tag.to <= group.from || tag.from >= group.to,
  );
  const titles = titlesOf(bare.text, tokens, layout.title.from, titleStop(layout, group));
  const { numbering, dated, year } = layout;
  const quality = qualityOf(tags, tokens, numbering?.disc === true);
  return {
    ...quality,
    title: titles.title || cleanTitle(bare.text) || bare.text,
    otherTitles: titles.otherTitles,
    ...(year !== undefined && { year }),
    seasons: numbering?.seasons ?? [],
    episodes: numbering?.episodes ?? [],
    ...(dated !== undefined && { date: dated.date }),
    ...(group !== undefined && { group: group.name }),
    revision: Math.max(quality.revision, numbering?.revision ?? 0),
  };
}

/** A group that stands directly behind the title ends it as well. */
const titleStop = ({ title }: Layout, group: Group | undefined) =>
  group !== undefined && group.from > title.from ? Math.min(title.to, group.from) : title.to;

/** The group at the end, or else the one in the brackets in front. */
function groupOf(
  text: string,
  tokens: readonly Token[],
  tags: readonly Tag[],
  layout: Layout,
): Group | undefined {
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

function groupInFront(text: string, layout: Layout): Group | undefined {
  const head = layout.head;
  if (head === undefined) return undefined;
  const name = text.slice(head.from, head.to).trim();
  return { from: head.first, to: head.end, name };
}

function first<K extends keyof Facts>(tags: readonly Tag[], field: K): Facts[K] | undefined {
  const holds = (tag: Tag) => tag.facts[field] !== undefined;
  return (tags.find((tag) => tag.trust === 'strong' && holds(tag)) ?? tags.find(holds))?.facts[field];
}

const any = (tags: readonly Tag[], field: keyof Facts) => tags.some((tag) => tag.facts[field] === true);

function listed<T>(
  tags: readonly Tag[],
  order: readonly T[],
  of: (facts: Facts) => readonly T[] | undefined,
): T[] {
  const found = new Set(tags.flatMap((tag) => of(tag.facts) ?? []));
  return order.filter((value) => found.has(value));
}

function qualityOf(tags: readonly Tag[], tokens: readonly Token[], isDisc: boolean): Omit<Quality, 'title'> {
  const { languages, subtitles } = tongues(tags, tokens);
  const disc = isDisc || any(tags, 'disc');
  return {
    ...UNKNOWN_QUALITY,
    ...defined({
      resolution: first(tags, 'resolution'),
      source: first(tags, 'source'),
      codec: first(tags, 'codec'),
      bitDepth: first(tags, 'bitDepth'),
      dolbyVisionProfile: first(tags, 'dolbyVisionProfile'),
      network: first(tags, 'network'),
      container: first(tags, 'container'),
    }),
    hdr: preciseHdr(listed(tags, HDR_FORMATS, (facts) => facts.hdr)),
    audio: withoutCores(listed(tags, AUDIO_FORMATS, (facts) => facts.audio)),
    channels: [...new Set(tags.flatMap((tag) => tag.facts.channels ?? []))].sort().reverse(),
    languages: [...languages].sort(),
    subtitles: [...subtitles].sort(),
    editions: listed(tags, EDITIONS, (facts) => facts.editions),
    complete: !disc && any(tags, 'complete'),
    remux: any(tags, 'remux'),
    disc,
    hybrid: any(tags, 'hybrid'),
    upscaled: any(tags, 'upscaled'),
    threeD: any(tags, 'threeD'),
    multi: any(tags, 'multi'),
    dual: any(tags, 'dual'),
    proper: any(tags, 'proper'),
    repack: any(tags, 'repack'),
    revision: Math.max(0, ...tags.map((tag) => tag.facts.revision ?? 0)),
  };
}

/** Without the fields that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function preciseHdr<T extends string>(formats: readonly T[]): T[] {
  const precise = formats.some((format) => format === 'HDR10' || format === 'HDR10+');
  return formats.filter((format) => !(format === 'HDR' && precise));
}

const DTS = ['DTS:X', 'DTS-HD MA', 'DTS-HD HR', 'DTS-HD', 'DTS'];

/** Every DTS holds the plainer ones in it. */
function withoutCores<T extends string>(formats: readonly T[]): T[] {
  const best = DTS.find((format) => formats.some((one) => one === format));
  return formats.filter((format) => !DTS.includes(format) || format === best);
}
