import * as v from 'valibot';
import { RESOLUTIONS } from '../../model/index.ts';
import { languageCode } from '../languages.ts';
import type { FormatCondition } from './format.ts';
import { type App, EXTENTS, languageOf, MODIFIERS, SERVARR_SOURCES, SOURCE_NAMES } from './servarr.ts';
import { ServarrFormat, type Specification } from './servarr-schema.ts';

/** Why a condition cannot be followed, in words that follow its name. */
export class ConditionError extends Error {}

type Fields = Specification['fields'];
type Value<C> = C extends unknown ? Omit<C, 'name' | 'negate' | 'required'> : never;

/** One of their conditions in our terms. @throws ConditionError */
export function conditionOf(specification: Specification, app: App | undefined): FormatCondition {
  const { name, negate, required } = specification;
  return { name, negate, required, ...valueOf(specification, app) };
}

function valueOf(
  { implementation, fields, name }: Specification,
  app: App | undefined,
): Value<FormatCondition> {
  switch (implementation) {
    case 'ReleaseTitleSpecification':
      return { kind: 'name', pattern: textIn(fields) };
    case 'ReleaseGroupSpecification':
      return { kind: 'group', pattern: textIn(fields) };
    case 'EditionSpecification':
      return { kind: 'edition', pattern: textIn(fields) };
    case 'LanguageSpecification':
      return {
        kind: 'language',
        language: languageIn(fields, app, name),
        except: fields['exceptLanguage'] === true,
      };
    case 'SourceSpecification':
      return { kind: 'source', source: sourceIn(fields, app) };
    case 'ResolutionSpecification':
      return { kind: 'resolution', resolution: resolutionIn(fields) };
    case 'QualityModifierSpecification':
      return { kind: 'modifier', modifier: known(MODIFIERS[numberIn(fields)]) };
    case 'SizeSpecification':
      return {
        kind: 'size',
        min: numberIn(fields, 'min') * GIGABYTE,
        max: numberIn(fields, 'max') * GIGABYTE,
      };
    case 'YearSpecification':
      return { kind: 'year', min: numberIn(fields, 'min'), max: numberIn(fields, 'max') };
    case 'IndexerFlagSpecification':
      return { kind: 'flag' };
    case 'ReleaseTypeSpecification':
      return { kind: 'extent', extent: known(EXTENTS[numberIn(fields)]) };
    default:
      throw new ConditionError(`is of a kind that is not known here (${implementation})`);
  }
}

const GIGABYTE = 1024 ** 3;

function textIn(fields: Fields): string {
  const value = fields['value'];
  if (typeof value !== 'string') throw new ConditionError('has no pattern');
  return value;
}

/** Some exports have their numbers in quotes. */
function numberIn(fields: Fields, name = 'value'): number {
  const value = fields[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new ConditionError(`has no number for "${name}"`);
  return number;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new ConditionError('asks for something that no name tells');
  return value;
}

/** Where the number does not tell, the condition is mostly called after the language: "Slovak", "Not Slovak". */
function languageIn(fields: Fields, app: App | undefined, name: string): string {
  const id = numberIn(fields);
  const language = languageOf(id, app) ?? languageCode(name.replace(/^not\s+/i, ''));
  if (language === undefined && app === undefined) throw unknownApp();
  return known(language);
}

function sourceIn(fields: Fields, app: App | undefined) {
  const id = numberIn(fields);
  // The only one on which both agree.
  if (app === undefined && SERVARR_SOURCES.radarr[id] !== SERVARR_SOURCES.sonarr[id]) throw unknownApp();
  return known(SERVARR_SOURCES[app ?? 'radarr'][id]);
}

const unknownApp = () =>
  new ConditionError(
    'means one thing in Radarr and another one in Sonarr, and nothing says which of them it is from',
  );

function resolutionIn(fields: Fields) {
  const lines = numberIn(fields);
  return known(RESOLUTIONS.find((resolution) => resolution === `${lines}p`));
}

/** Whose formats these are, as far as they tell; undefined when they do not, or contradict each other. */
export function appOf(entries: readonly unknown[]): App | undefined {
  const said = new Set<App>();
  for (const entry of entries) {
    const parsed = v.safeParse(ServarrFormat, entry);
    for (const specification of parsed.success ? parsed.output.specifications : []) {
      const app = appOfSpecification(specification);
      if (app !== undefined) said.add(app);
    }
  }
  const [app] = said;
  return said.size === 1 ? app : undefined;
}

const RADARR_ONLY = ['QualityModifierSpecification', 'EditionSpecification', 'YearSpecification'];

function appOfSpecification({ implementation, infoLink, name, fields }: Specification): App | undefined {
  const linked = /\b(radarr|sonarr)\b/i.exec(infoLink ?? '')?.[1]?.toLowerCase();
  if (linked === 'radarr' || linked === 'sonarr') return linked;
  if (RADARR_ONLY.includes(implementation)) return 'radarr';
  if (implementation === 'ReleaseTypeSpecification') return 'sonarr';
  return implementation === 'SourceSpecification' ? appOfSource(name, Number(fields['value'])) : undefined;
}

/** People call such a condition "WEBDL", which is 7 for the one and 3 for the other. */
function appOfSource(name: string, id: number): App | undefined {
  const fits = (app: App) => {
    const source = SERVARR_SOURCES[app][id];
    return source !== undefined && SOURCE_NAMES[source].test(name);
  };
  if (fits('radarr') === fits('sonarr'))
    return SERVARR_SOURCES.sonarr[id] === undefined ? radarrOf(id) : undefined;
  return fits('radarr') ? 'radarr' : 'sonarr';
}

const radarrOf = (id: number): App | undefined =>
  SERVARR_SOURCES.radarr[id] === undefined ? undefined : 'radarr';
