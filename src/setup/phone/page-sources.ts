import * as v from 'valibot';
import { type Explanation, SlipstreamError } from '../../errors/index.ts';
import {
  editListedSources,
  type ListedSource,
  listedSource,
  readListedSources,
  type SourceEntry,
} from '../../settings/index.ts';
import { withScheme } from '../asking/address.ts';
import { hostOf } from '../lists/indexers/presets.ts';
import { isSameSecretScope } from '../secret-scope.ts';
import { foreignRefusal, PhoneRefusal, type WrongField } from './refusal.ts';
import { holdsLogin } from './shown-settings.ts';

/** The further places to search, as the page gets them: addresses that hold a key stay here, and so do the keys. */
export interface ShownSource {
  readonly kind?: SourceEntry['kind'];
  readonly name: string;
  /** Absent: it stays here. */
  readonly url?: string;
  readonly hasUrl: boolean;
  readonly hasKey: boolean;
  readonly enabled: boolean;
  /** Why it cannot be used as it stands there. */
  readonly problem?: string;
}

/** One line without what ends lines. */
const Line = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most), v.regex(/^\P{Cc}*$/u));

const EnteredSource = v.object({
  /** Which of the shown ones; absent: a new one. */
  index: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  kind: v.picklist(['newznab', 'hydra', 'prowlarr', 'stremio']),
  /** Absent or empty: that of its host. */
  name: v.optional(Line(100)),
  /** Absent: the one that stays here. */
  url: v.optional(Line(2_000)),
  apiKey: v.optional(Line(2_000)),
  enabled: v.boolean(),
});
const Index = v.object({ index: v.pipe(v.number(), v.integer(), v.minValue(0)) });

type EnteredSource = v.InferOutput<typeof EnteredSource>;

/**
 * The person's list during one set-up. It can be changed by hand and from the TV meanwhile: a change is made to what
 * the page has shown, or not at all.
 */
export class PageSources {
  readonly #folder: string;
  #shown: readonly ListedSource[] = [];
  /** Why there is no list: somebody has to mend it by hand. The rest can be set up all the same. */
  #listProblem: SlipstreamError | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<ShownSource[]> {
    try {
      this.#shown = await readListedSources(this.#folder);
      this.#listProblem = undefined;
    } catch (error) {
      if (!(error instanceof SlipstreamError)) throw error;
      [this.#shown, this.#listProblem] = [[], error];
      const { what, next } = error.explanation;
      return [unusableSource('The list cannot be used', `${what} ${next}`)];
    }
    return this.#shown.map(shownSource);
  }

  /** What was entered, with what stays here. @throws Refusal */
  entry(body: unknown): SourceEntry {
    const entered = parse(EnteredSource, body);
    const { index, kind, enabled } = entered;
    const before = index === undefined ? undefined : this.#at(index).entry;
    const url = withScheme(entered.url ?? '') || before?.url || '';
    if (url === '') throw fieldRefusal('url', NO_ADDRESS);
    if (!URL.canParse(url)) throw fieldRefusal('url', NO_SUCH_ADDRESS);
    // As another kind it would be shown, or asked for what it is not.
    if (before?.url === url && !isUrlShown(before) && kind !== before.kind)
      throw fieldRefusal('url', ENTER_ADDRESS);
    const stored = before?.apiKey ?? '';
    if (entered.apiKey === undefined && stored !== '' && !isSameSecretScope(before?.url ?? '', url))
      throw fieldRefusal('apiKey', ENTER_AGAIN);
    const name = entered.name || hostOf(url);
    return { kind, name, url, apiKey: entered.apiKey ?? stored, enabled };
  }

  /** @throws Refusal, STORE_FAILED */
  async save(body: unknown): Promise<void> {
    const entry = this.entry(body);
    const { index } = parse(EnteredSource, body);
    await this.#edit((list) =>
      index === undefined
        ? [...list, listedSource(entry)]
        : list.map((each, at) => (at === index ? listedSource(entry, each) : each)),
    );
  }

  /** @throws Refusal, STORE_FAILED */
  async remove(body: unknown): Promise<void> {
    const { index } = parse(Index, body);
    this.#at(index);
    await this.#edit((list) => list.filter((_each, at) => at !== index));
  }

  #at(index: number): ListedSource {
    if (this.#listProblem !== undefined) throw this.#listProblem;
    const listed = this.#shown[index];
    if (listed === undefined) throw changedRefusal();
    return listed;
  }

  async #edit(change: (list: readonly ListedSource[]) => readonly ListedSource[]): Promise<void> {
    await editListedSources(this.#folder, (list) => {
      if (asText(list) !== asText(this.#shown)) throw changedRefusal();
      return change(list);
    });
  }
}

const asText = (list: readonly ListedSource[]): string => JSON.stringify(list.map(({ stored: raw }) => raw));

function shownSource({ entry, problem }: ListedSource): ShownSource {
  if (entry === undefined) return unusableSource('An entry that cannot be used', problem ?? '');
  const { kind, name, url, apiKey, enabled } = entry;
  return {
    kind,
    name,
    ...(isUrlShown(entry) && { url }),
    hasUrl: url !== '',
    hasKey: apiKey !== '',
    enabled,
  };
}

const unusableSource = (name: string, problem: string): ShownSource => ({
  name,
  hasUrl: false,
  hasKey: false,
  enabled: false,
  problem,
});

/** An add-on's key stands in the path of its address. */
const isUrlShown = ({ kind, url }: SourceEntry): boolean => kind !== 'stremio' && !holdsLogin(url);

function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const field = FIELDS.find((each) => each === issues[0].path?.[0]?.key);
  throw field === undefined
    ? foreignRefusal(400, 'That is nothing that this page sends.')
    : fieldRefusal(field, TOO_LONG);
}

const FIELDS = ['name', 'url', 'apiKey'] as const;

const fieldRefusal = (field: (typeof FIELDS)[number], explanation: Explanation): PhoneRefusal =>
  new PhoneRefusal(400, 'INVALID_REQUEST', explanation, { field } satisfies WrongField);

const TOO_LONG = { what: 'That is too long, or holds what no keyboard types.', next: 'Enter it again.' };

const NO_ADDRESS = { what: 'There is no address.', next: 'Enter where it is, as it stands in your browser.' };
const NO_SUCH_ADDRESS = { what: 'That is no address.', next: 'Enter it as it stands in your browser.' };
const ENTER_ADDRESS = {
  what: 'It is of another kind now.',
  next: 'Enter the address again: the stored one is for what it was.',
};
const ENTER_AGAIN = {
  what: 'The address is another one now.',
  next: 'Enter the key again: the stored one is not sent to another machine.',
};

const changedRefusal = () =>
  new PhoneRefusal(409, 'BUSY', {
    what: 'The list has been changed meanwhile.',
    next: 'Load the page again, and repeat what you wanted to change.',
  });
