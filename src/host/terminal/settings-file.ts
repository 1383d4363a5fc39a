import { access, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { replaceFile } from '../../io/store.ts';
import { SETTING_IDS } from '../../settings/index.ts';

/** A settings file is a few kilobytes; anything larger is something else. */
const MAX_BYTES = 1024 * 1024;
const GROUP_AND_OTHERS = 0o077;

const Schema = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));
type Values = v.InferOutput<typeof Schema>;

/** Where the settings are looked for when nobody says (XDG Base Directory Specification). */
export function defaultSettingsFile(env: NodeJS.ProcessEnv, home: string = homedir()): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'slipstream', 'settings.json');
}

/** Where the terminal keeps what Kodi would keep in the add-on's profile folder. */
export function defaultDataFolder(env: NodeJS.ProcessEnv, home: string = homedir()): string {
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'slipstream');
}

/**
 * Reads a JSON object of setting ids and values, as text.
 * @throws INVALID_REQUEST when it is missing, readable by others (it holds keys), no such object, or names an unknown
 *   setting, which is a typing error more often than not.
 */
export async function readSettingsFile(path: string): Promise<Readonly<Record<string, string>>> {
  const values = Object.entries(await readValues(path));
  return Object.fromEntries(values.map(([id, value]) => [id, String(value)]));
}

async function readValues(path: string): Promise<Values> {
  const text = await readPrivate(path);
  const parsed = v.safeParse(Schema, parseJson(text, path));
  if (!parsed.success)
    throw unusableFileError(path, 'is not an object of settings', 'Write it as {"setting id": value, …}.');
  const unknown = Object.keys(parsed.output).filter((id) => !(SETTING_IDS as readonly string[]).includes(id));
  if (unknown.length > 0) {
    throw unusableFileError(path, `names unknown settings (${unknown.join(', ')})`, 'Check their spelling.');
  }
  return parsed.output;
}

/**
 * Stores settings in the file, which is made where there is none; what else stands in it stays as it is, and so does a
 * file that has the values already, however it is written.
 * @throws INVALID_REQUEST as reading it does, HOST_FAILED when it cannot be written.
 */
export async function writeSettingsFile(
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const stored = await readStored(path);
  const isNews = ([id, value]: readonly [string, string]) => String(stored?.[id]) !== value;
  if (stored !== undefined && !Object.entries(values).some(isNews)) return;
  const text = `${JSON.stringify({ ...stored, ...values }, undefined, 2)}\n`;
  await replaceFile(dirname(path), path, text).catch((cause: unknown) => {
    throw new SlipstreamError(
      'HOST_FAILED',
      { what: `The settings file ${path} cannot be written.`, next: 'Check its folder.' },
      { cause },
    );
  });
}

/** What stands in the file now, value for value; undefined when there is no file yet. */
async function readStored(path: string): Promise<Values | undefined> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? await readValues(path) : undefined;
}

async function readPrivate(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { mode, size } = await file.stat();
      // Windows has no such modes and reports every file as readable by all.
      if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0) {
        throw unusableFileError(path, 'holds keys and can be read by others', `Run: chmod 600 ${path}`);
      }
      if (size > MAX_BYTES)
        throw unusableFileError(path, 'is far too large', 'Check that it is the right file.');
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SlipstreamError) throw error;
    throw unusableFileError(
      path,
      'cannot be read',
      'Run "slipstream setup", which writes it, or name another one with --settings.',
      error,
    );
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not the parser's own words as a cause: they quote the file, keys and all.
    throw unusableFileError(path, 'is not JSON', 'Look for a missing comma or quotation mark.');
  }
}

function unusableFileError(path: string, fault: string, next: string, cause?: unknown): SlipstreamError {
  return new SlipstreamError(
    'INVALID_REQUEST',
    { what: `The settings file ${path} ${fault}.`, next },
    { cause },
  );
}
