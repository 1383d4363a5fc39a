import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { SlipstreamError } from '../errors/index.ts';
import { openDocument } from '../io/store.ts';

/** A document that dialogs write and people write as well: what a dialog does not understand of it must not be lost. */
export interface UserDocument<T> {
  /** What stands there, its parts unchecked; undefined when there is no file. @throws STORE_FAILED when it is no such thing */
  read(): Promise<T | undefined>;
  /** Replaces what stands there by what is made of it. @throws STORE_FAILED, and then all stays as it was */
  edit(change: (value: T | undefined) => T): Promise<void>;
}

/** A list whose entries nobody has looked at. */
export const Entries = v.array(v.unknown());

/** Opens `name`.json, `{"version": 1, "value": …}`. */
export function openUserDocument<T>(
  folder: string,
  name: string,
  shape: v.GenericSchema<unknown, T>,
): UserDocument<T> {
  const document = openDocument(folder, name, { version: 1, parse: (value) => v.parse(shape, value) });
  const read = async () => {
    const value = await document.read();
    // Of a file with a comma missing nothing can be kept, so nothing is written over it.
    if (value === undefined && (await fileExists(join(folder, `${name}.json`))))
      throw unreadableError(folder, name);
    return value;
  };
  return {
    read,
    edit: async (change) => {
      await document.write(change(await read()));
    },
  };
}

function unreadableError(folder: string, name: string): SlipstreamError {
  return new SlipstreamError('STORE_FAILED', {
    what: `${name}.json cannot be read, so it is not changed: what stands in it would be lost.`,
    next: `Mend it or move it away. It lies in ${folder}.`,
  });
}

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
