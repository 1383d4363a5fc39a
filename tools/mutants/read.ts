import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';

const Schema = v.strictObject({
  /** What no longer holds in the changed code, as a sentence. */
  invariant: v.pipe(v.string(), v.nonEmpty()),
  /** The file that is changed, relative to the root. */
  file: v.pipe(v.string(), v.nonEmpty()),
  /** Stands in the file exactly once. */
  search: v.pipe(v.string(), v.nonEmpty()),
  replace: v.string(),
  /** What has to go red, each one: "test/a.test.ts", or "test/a.test.ts > a part of the test's name". */
  tests: v.pipe(v.array(v.string()), v.nonEmpty()),
});

/** A defect that somebody could put into the code, and the tests that must notice. */
export interface Mutant extends v.InferOutput<typeof Schema> {
  readonly name: string;
}

/** Reads a mutant's file. @throws Error that names it. */
export function parseMutant(name: string, json: string): Mutant {
  try {
    return { name, ...v.parse(Schema, JSON.parse(json)) };
  } catch (cause) {
    throw new Error(`mutant ${name}: ${(cause as Error).message}`, { cause });
  }
}

/** All mutants of a folder whose name holds one of the words; all of them without words. */
export async function readMutants(folder: string, words: readonly string[]): Promise<Mutant[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const names = files.map((file) => basename(file, '.json'));
  const wanted = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  return await Promise.all(
    wanted.map(async (name) => parseMutant(name, await readFile(join(folder, `${name}.json`), 'utf8'))),
  );
}

/** The mutated text. @throws Error when the place is not there exactly once. */
export function mutate(text: string, { name, file, search, replace }: Mutant): string {
  const parts = text.split(search);
  if (parts.length !== 2) {
    throw new Error(`mutant ${name}: its text stands ${parts.length - 1} times in ${file}, not once`);
  }
  return parts.join(replace);
}
