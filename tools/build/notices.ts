import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Licence texts of packages whose npm archive lacks one; taken from their repositories. */
const COLLECTED = join('tools', 'build', 'licences');

/** Folders of the packages that `inputs` (a bundle's files) come from, relative to the root. */
export function packageFolders(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap(
    (input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/**
 * Names every bundled package with its licence and the licence's text, as the licences ask.
 * @throws Error when a package has no licence text: it may then not be shipped.
 */
export async function notices(root: string, inputs: readonly string[]): Promise<string> {
  const parts = await Promise.all(packageFolders(inputs).map((folder) => notice(root, folder)));
  return ['Slipstream contains the following third-party software.\n', ...parts].join(
    `\n${'-'.repeat(78)}\n\n`,
  );
}

async function notice(root: string, folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const text = await licenceText(root, folder, manifest.name);
  if (manifest.license === undefined || text === undefined) {
    throw new Error(
      `${manifest.name} is bundled without a licence; put its text into ${COLLECTED}/${manifest.name}.txt`,
    );
  }
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
}

async function licenceText(root: string, folder: string, name: string): Promise<string | undefined> {
  const files = (await readdir(join(root, folder))).sort();
  const file = files.find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  if (file !== undefined) return readFile(join(root, folder, file), 'utf8');
  return readFile(join(root, COLLECTED, `${name.replace('/', '__')}.txt`), 'utf8').catch(() => undefined);
}
