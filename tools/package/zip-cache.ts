import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AddonPackage, sha256 } from './files.ts';
import { zipOf } from './zip.ts';

/** To be raised when zipOf gives other bytes for the same files. */
const FORM = 1;

/** Like zipOf, but the same files are packed only once: to deflate a Node takes half a minute. */
export async function cachedZip(one: AddonPackage, cache: string): Promise<Uint8Array> {
  const parts = [...one.files].map(([path, { content, executable = false }]) => [
    path,
    executable,
    sha256(content),
  ]);
  const file = join(cache, 'zips', `${sha256(JSON.stringify([FORM, one.id, parts.sort()]))}.zip`);
  const known = await readFile(file).catch(() => undefined);
  if (known !== undefined) return known;
  const zip = await zipOf(one);
  const draft = `${file}.${process.pid}.draft`;
  await mkdir(join(cache, 'zips'), { recursive: true });
  await writeFile(draft, zip);
  await rename(draft, file);
  return zip;
}
