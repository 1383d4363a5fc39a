import * as v from 'valibot';
import { openDocument, type StoredDocument } from '../../io/store.ts';

const Port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

/** Where the page was served last: a page that is still open on the phone goes on with a new code only at the same address. */
export const openLastPort = (folder: string): StoredDocument<number> =>
  openDocument(folder, 'phone-port', { version: 1, parse: (value) => v.parse(Port, value) });
