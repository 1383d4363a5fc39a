// The rule about documents: whatever names one, or a section of one, names one that is there. Part of npm run check.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { ROOT } from '../lib/paths.ts';

/** Documents by their paths from the top folder, with "/". */
export type Documents = ReadonlyMap<string, string>;

/** Not behind a letter, a placeholder or a slash: "%s.md" is no name, and an address's path no document of ours. */
const DOCUMENT = String.raw`(?<![\w%$.{}:/-])(?:[\w.-]+/)*[A-Za-z][\w-]*\.md\b`;
/** Blanks, also those of a comment that goes on in its next line. */
const GAP = String.raw`(?:\s+(?:(?:\*|//|#|>)\s+)?)`;
const SECTION = String.raw`§\d+(?:\.\d+)*`;
/** "§1.2, §2.10 and §3", "§8.4 to §8.9". */
const SECTIONS = String.raw`${SECTION}(?:,?${GAP}(?:(?:and|or|to)${GAP})?${SECTION})*`;
/** Of a standard: "RFC 9110 §14", "ISO/IEC 14496-12 §4.2", "W3C PNG, §5 and §11". */
const STANDARD = String.raw`\b(?:RFC|ISO(?:/IEC)?|W3C|ASF)\b[\w -]{1,24},?${GAP}`;

const CITATION = new RegExp(`(${DOCUMENT})(?:${GAP}(${SECTIONS}))?`, 'g');
const STANDARD_NAMED = new RegExp(STANDARD);
const OF_STANDARD = new RegExp(`${STANDARD}${SECTIONS}`, 'g');
const ALONE = new RegExp(SECTION, 'g');
const HEADING = /^#{2,6} (\d+(?:\.\d+)*)(?=[. ])/gm;

/**
 * What `text` names of documents and is not there, each as "path:line: what". A section that stands alone is one of the
 * text's own where its sections are numbered; else one of the standard that it names; else one of the document whose
 * sections it cites, if there is one of these. Otherwise nobody can tell of what it is.
 */
export function citationFaults(path: string, text: string, documents: Documents): string[] {
  if (!/\.md\b|§/.test(text)) return [];
  const faults: { readonly at: number; readonly what: string }[] = [];
  const cited = new Map<string, string>();
  const rest = text.replace(
    CITATION,
    (all: string, name: string, sections: string | undefined, at: number) => {
      const document = found(name, path, documents);
      if (document === undefined) faults.push({ at, what: `there is no document ${name}` });
      else if (sections !== undefined) {
        cited.set(posix.basename(name), document);
        for (const section of missing(document, sections))
          faults.push({ at, what: `${name} has no ${section}` });
      }
      return blank(all);
    },
  );
  const isNumbered = documents.has(path) && sectionsOf(text).size > 0;
  const [meant, ...others] = isNumbered ? [text] : cited.values();
  const ofNoStandard = !isNumbered && STANDARD_NAMED.test(rest) ? '' : rest.replace(OF_STANDARD, blank);
  for (const { 0: section, index: at } of ofNoStandard.matchAll(ALONE)) {
    if (meant === undefined || others.length > 0) faults.push({ at, what: `${section} is of no document` });
    else if (missing(meant, section).length > 0) faults.push({ at, what: `there is no ${section}` });
  }
  return faults
    .sort((one, other) => one.at - other.at)
    .map(({ at, what }) => `${path}:${text.slice(0, at).split('\n').length}: ${what}`);
}

const blank = (text: string) => ' '.repeat(text.length);

/** A name alone is that of a document of docs/, of the top folder, or beside the file that names it. */
function found(name: string, from: string, documents: Documents): string | undefined {
  const beside = posix.join(posix.dirname(from), name);
  const places = [name, beside, ...(name.includes('/') ? [] : [`docs/${name}`])];
  return places.map((place) => documents.get(place)).find((document) => document !== undefined);
}

const sectionsOf = (document: string): ReadonlySet<string> =>
  new Set([...document.matchAll(HEADING)].map(([, number = '']) => `§${number}`));

function missing(document: string, sections = ''): string[] {
  const there = sectionsOf(document);
  return [...sections.matchAll(ALONE)].map(([section]) => section).filter((section) => !there.has(section));
}

const FOLDERS = ['src', 'test', 'sandbox', 'tools', 'bench', 'addon', 'mutants', 'docs'];
const TEXT = /\.(?:[cm]?[jt]s|py|json|xml|md)$/;
/** What others have written, and the test of this rule, whose documents are invented. */
const LEFT_OUT =
  /^(?:tools\/build\/licences\/|test\/fixtures\/.*\.(?!md$)[a-z]+$|test\/tools\/citations\.test\.ts$)/;

/** The faults of the whole repository. */
export async function allCitationFaults(root = ROOT): Promise<string[]> {
  const inFolders = FOLDERS.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
  );
  const paths = [
    ...(await readdir(root)).filter((name) => name.endsWith('.md')),
    ...(await Promise.all(inFolders)).flat(),
  ]
    .map((path) => path.split(sep).join('/'))
    .filter((path) => TEXT.test(path) && !LEFT_OUT.test(path) && !dirname(path).includes('node_modules'));
  const texts = new Map(
    await Promise.all(
      paths.sort().map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
    ),
  );
  const documents = new Map([...texts].filter(([path]) => path.endsWith('.md')));
  return [...texts].flatMap(([path, text]) => citationFaults(path, text, documents));
}
