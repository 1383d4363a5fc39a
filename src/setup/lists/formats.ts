import { parsePlayerFolder } from '../../backends/download-client/paths/player-folder.ts';
import { checkFileServer } from '../../backends/download-client/reachability/check-file-server.ts';
import { SlipstreamError } from '../../errors/index.ts';
import { fetchBounded } from '../../io/http.ts';
import {
  type CustomFormat,
  importFormats,
  type ListedFormat,
  listFormats,
  removeFormat,
  saveFormats,
} from '../../release/index.ts';
import type { SetupContext } from '../action.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { confirmRemoval, entryDialog, type ListRow, listDialog } from './list-dialog.ts';

/** Custom formats, as Radarr and Sonarr export them, and the points that each of them gives. */
export async function runFormats(context: SetupContext): Promise<void> {
  await listDialog('Custom formats', () => rows(context), context);
}

async function rows(context: SetupContext): Promise<ListRow[]> {
  const listed = await listFormats(context.host.dataFolder, context.log);
  return [
    ...listed.map((each, index) => ({
      id: `format-${index}`,
      label: each.format.name,
      detail: detailOf(each),
      act: () => change(each, context),
    })),
    {
      id: 'import',
      label: 'Import',
      detail: 'From a file or an address, as Radarr or Sonarr export them.',
      act: () => importFrom(context),
    },
  ];
}

function detailOf({ format: { score, enabled }, inFolder, isKept }: ListedFormat): string {
  const points = `${score} ${Math.abs(score) === 1 ? 'point' : 'points'}`;
  const from = isKept ? '' : ', from the folder "formats"';
  return `${enabled === false ? 'Switched off, ' : ''}${points}${inFolder && isKept ? ', changed here' : from}`;
}

async function change({ format, inFolder, isKept }: ListedFormat, context: SetupContext): Promise<void> {
  const folder = context.host.dataFolder;
  const { enabled = true, ...rest } = format;
  const toggled: CustomFormat = enabled ? { ...rest, enabled: false } : rest;
  const remove = async () => {
    if (await confirmRemoval(format.name, context)) await removeFormat(folder, format.name);
  };
  await entryDialog(
    format.name,
    [
      {
        id: 'score',
        label: 'Change its points',
        detail: String(format.score),
        act: () => changeScore(format, context),
      },
      {
        id: 'enabled',
        label: enabled ? 'Switch off' : 'Switch on',
        act: () => saveFormats(folder, [toggled]),
      },
      ...(isKept && !inFolder ? [{ id: 'remove', label: 'Remove', act: remove }] : []),
      ...(isKept && inFolder
        ? [{ id: 'forget', label: 'As its file says', act: () => removeFormat(folder, format.name) }]
        : []),
    ],
    context,
  );
}

/** As CustomFormat allows. */
const MAX_POINTS = 1_000_000;

async function changeScore(format: CustomFormat, { host, signal }: SetupContext): Promise<void> {
  const title = `Points of ${format.name}, below 0 to put it behind`;
  const text = await host.questions.text({ title, value: String(format.score), isNeeded: true }, signal);
  if (text === undefined) return;
  const score = Number(text);
  if (!/^[+-]?\d{1,7}$/.test(text) || Math.abs(score) > MAX_POINTS) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: 'That is no number of points.',
      next: 'Enter a whole number, such as 100 or -50.',
    });
  }
  await saveFormats(host.dataFolder, [{ ...format, score }]);
}

/** Milliseconds until a file server must have proven that it speaks. */
const CHECK_TIMEOUT_MS = 3_000;
/** Bytes; a list of all formats that are about has less. */
const MAX_BYTES = 4 * 1024 * 1024;

async function importFrom(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const title = 'File or address of the custom formats';
  const place = await host.questions.text({ title }, signal);
  if (place === undefined || place === '') return;
  const text = await whileShowing('Custom formats', context, async (progress, cancelled) => {
    await progress.update({ stage: 'Reading custom formats' });
    return await textAt(place, context, cancelled);
  });
  if (text === undefined) return;
  const { formats: read, refused } = importFormats(text);
  const formats = withPointsOf(await listFormats(host.dataFolder, context.log), read);
  await saveFormats(host.dataFolder, formats);
  const lines = [
    `${formats.length} ${formats.length === 1 ? 'format was' : 'formats were'} taken.`,
    ...formats
      .filter(({ score }) => score === 0)
      .map(({ name }) => `${name} has no points yet, so it counts nothing.`),
    ...refused.map(({ name, reason }) => `${name} was left out: ${reason}.`),
  ];
  await host.questions.show({ title: 'Custom formats', text: lines.join('\n') }, signal);
}

/** What brings no points with it keeps those that the person has given it, and stays switched off where it was. */
function withPointsOf(
  listed: readonly ListedFormat[],
  formats: readonly CustomFormat[],
): readonly CustomFormat[] {
  const before = new Map(listed.map(({ format }) => [format.name, format]));
  return formats.map((format) => {
    const { score = 0, enabled = true } = before.get(format.name) ?? {};
    return { ...format, score: format.score || score, ...(!enabled && { enabled }) };
  });
}

/** A server that the media centre waits for without end is not let near it (HostFiles). */
const FILE_SERVER = /^(?:(?:smb|nfs):\/\/|\\\\)/i;

async function textAt(place: string, { host }: SetupContext, signal: AbortSignal): Promise<string> {
  if (/^https?:\/\//i.test(place)) {
    const answer = await fetchBounded({ url: place, who: 'That address', signal, maxBytes: MAX_BYTES });
    if (answer.status !== 200)
      throw fileMissingError('That address', `It answered with status ${answer.status}.`);
    return withoutBom(answer.text());
  }
  const { server } = FILE_SERVER.test(place) ? parsePlayerFolder(place) : {};
  if (server !== undefined) await checkFileServer(server, { signal, timeout: CHECK_TIMEOUT_MS });
  const bytes = await host.files.read(place, { from: 0, length: MAX_BYTES }, signal);
  if (bytes === undefined) throw fileMissingError('That file', 'It is not there, or cannot be opened.');
  return withoutBom(new TextDecoder().decode(bytes));
}

const withoutBom = (text: string): string => text.replace(/^\ufeff/, '');

const fileMissingError = (what: string, why: string): SlipstreamError =>
  new SlipstreamError('INVALID_REQUEST', {
    what: `${what} could not be read. ${why}`,
    next: 'Check how it is written, then try again.',
  });
