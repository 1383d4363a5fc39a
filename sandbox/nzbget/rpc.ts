import type { NzbgetJob } from './entry.ts';
import type { NzbgetFaults } from './faults.ts';
import type { FinishedFolders } from './folders.ts';
import type { NzbgetJobs } from './jobs.ts';

export interface RpcOptions {
  readonly jobs: NzbgetJobs;
  readonly folders: FinishedFolders;
  readonly faults: NzbgetFaults;
  readonly version: string;
  readonly categories: readonly string[];
}

/** An error in the answer, with HTTP status 200. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const ADD_ONLY: ReadonlySet<string> = new Set(['append', 'appendurl', 'version']);

/** Calls a method. @throws RpcError */
export function call(
  method: string,
  params: readonly unknown[],
  options: RpcOptions & { readonly addOnly: boolean },
): unknown {
  if (options.addOnly && !ADD_ONLY.has(method)) throw new RpcError(401, 'Access denied');
  options.jobs.advance();
  switch (method) {
    case 'version':
      return options.version;
    case 'append':
      return append(params, options);
    case 'listgroups':
      return options.jobs.queue.map((entry) => group(entry, options));
    case 'history':
      return options.jobs.history.map((entry) => past(entry, options));
    case 'editqueue':
      return edit(params, options);
    case 'config':
      return config(options);
    case 'status':
      return { DownloadPaused: options.jobs.paused, FreeDiskSpaceMB: 123_456, ...halves('RemainingSize', 0) };
    default:
      throw new RpcError(1, 'Invalid procedure');
  }
}

/** By position, and strict about the types, as NZBGet is. */
function append(params: readonly unknown[], { jobs, faults }: RpcOptions): number {
  if (faults.submit === 'no-id') return 0;
  if (faults.submit !== undefined) throw new RpcError(3, faults.submit.words);
  const types = ['string', 'string', 'string', 'number', 'boolean', 'boolean', 'string', 'number', 'string'];
  if (!types.every((type, i) => typeof params[i] === type) || !Array.isArray(params[9]))
    throw new RpcError(2, 'Invalid parameter');
  const [filename, content, category, priority, , , dupeKey, dupeScore, dupeMode] = params as [
    ...[string, string, string, number, boolean, boolean, string, number, string],
  ];
  const parameters = inTurn(params[9].flatMap(textsIn));
  const nzb = Buffer.from(content, 'base64').toString('utf8');
  if (!/<nzb[\s>]/.test(nzb) || !/<\/nzb>\s*$/.test(nzb)) return -1;
  return jobs.add({ filename, nzb, category, priority, dupeKey, dupeScore, dupeMode, parameters });
}

/** It goes by the texts alone, in whatever they stand. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value ?? {})
        .flat()
        .map(String);

/** Names and values, one after the other. */
const inTurn = (texts: readonly string[]) =>
  new Map(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ''] as const] : [])));

function edit(params: readonly unknown[], { jobs, faults }: RpcOptions): boolean {
  if (faults.edit !== undefined) throw new RpcError(3, faults.edit.words);
  const [command, param, ids] = params;
  if (typeof command !== 'string' || typeof param !== 'string' || !Array.isArray(ids))
    throw new RpcError(2, 'Invalid parameter');
  const numbers = ids as readonly number[];
  switch (command) {
    case 'GroupFinalDelete':
      return jobs.removeQueued(numbers);
    case 'HistoryFinalDelete':
      return jobs.removePast(numbers);
    case 'HistoryRedownload':
      return jobs.redownload(numbers);
    default:
      throw new RpcError(3, 'Invalid action');
  }
}

function config({ folders, jobs, categories, faults }: RpcOptions): unknown[] {
  return [
    ['MainDir', '/downloads'],
    ['DestDir', folders.server],
    ['DupeCheck', jobs.dupeCheck ? 'yes' : 'no'],
    ['HealthCheck', 'park'],
    ...categories.flatMap((name, i) => [
      [`Category${i + 1}.Name`, name],
      [`Category${i + 1}.DestDir`, faults.folders?.[name] ?? ''],
    ]),
  ].map(([Name, Value]) => ({ Name, Value }));
}

function common(entry: NzbgetJob, { folders, faults }: RpcOptions) {
  const { id, name, filename, category, dupeKey, dupeScore, dupeMode, bytes, parameters } = entry;
  return {
    NZBID: id,
    NZBName: name,
    NZBFilename: filename,
    Kind: 'NZB',
    URL: '',
    Category: category,
    DestDir: folders.serverPath(entry, faults.folders?.[category]),
    FinalDir: '',
    ...halves('FileSize', bytes),
    DupeKey: dupeKey,
    DupeScore: dupeScore,
    DupeMode: dupeMode,
    CriticalHealth: 999,
    Parameters: [...parameters].map(([Name, Value]) => ({ Name, Value })),
  };
}

function group(entry: NzbgetJob, options: RpcOptions) {
  const { status, done, stage } = options.jobs.view(entry);
  const { bytes, priority, fault } = entry;
  // A tenth of it are repair files that wait until they are needed.
  const paused = Math.floor(bytes / 10);
  return {
    ...common(entry, options),
    Status: status,
    PostStageProgress: stage,
    MaxPriority: priority,
    Health: fault?.kind === 'hopeless' ? 950 : 1000,
    ...halves('RemainingSize', paused + Math.ceil((bytes - paused) * (1 - done))),
    ...halves('PausedSize', paused),
  };
}

function past(entry: NzbgetJob, options: RpcOptions) {
  const { name, end } = entry;
  const time = Math.floor((end?.at ?? 0) / 1000);
  return { ...common(entry, options), Name: name, Status: end?.status, HistoryTime: time, Health: 1000 };
}

/** NZBGet has no 64-bit numbers: two unsigned halves, and megabytes. */
function halves(name: string, bytes: number): Record<string, number> {
  const high = Math.floor(bytes / 2 ** 32);
  return {
    [`${name}Lo`]: bytes - high * 2 ** 32,
    [`${name}Hi`]: high,
    [`${name}MB`]: Math.floor(bytes / 2 ** 20),
  };
}
