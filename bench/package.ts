import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import budget from '../size-budget.json' with { type: 'json' };
import { cacheFolder } from '../tools/debian-root/paths.ts';
import { makePackages } from '../tools/package/index.ts';
import { npmReader } from '../tools/package/node-binary.ts';
import type { Figure } from './figure.ts';

const MIB = 1024 * 1024;

/** The size of each zip that people download, against its budget. */
export const packageSizes: readonly Figure[] = Object.entries(budget.packages).map(([folder, limit]) => ({
  name: `package.size.${folder}`,
  unit: 'MiB',
  target: `≤ ${(limit / MIB).toFixed(2)}`,
  measure: async () => {
    const size = (await sizes()).get(folder);
    if (size === undefined) throw new Error(`nothing is packaged in ${folder}`);
    return { value: size / MIB, met: size <= limit, note: `${size} of ${limit} bytes` };
  },
}));

let made: Promise<ReadonlyMap<string, number>> | undefined;

/** Makes all of them, once. */
function sizes(): Promise<ReadonlyMap<string, number>> {
  made ??= packAll();
  return made;
}

async function packAll(): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-packages-'));
  const cache = cacheFolder();
  try {
    const options = {
      out: join(folder, 'out'),
      cache,
      read: npmReader(cache),
      baseUrl: 'https://slipstream.example',
    };
    const packages = await makePackages(options);
    return new Map(packages.map((one) => [one.folder, one.zip.length]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
