import { readFileSync } from 'node:fs';
import type { JobFile } from '../../src/job-files/files.ts';
import type { NoVideoReason } from '../../src/job-files/no-video.ts';
import type { MediaRequest } from '../../src/model/index.ts';

/** A row of test/fixtures/layouts: what a job holds, what is asked for, and what a careful person would play. */
export interface Layout {
  readonly why: string;
  readonly request: MediaRequest;
  readonly job: string;
  readonly files: readonly JobFile[];
  readonly expect: string | { readonly none: NoVideoReason };
}

interface Row {
  readonly why: string;
  readonly ask: Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly season?: number;
    readonly episode?: number;
    readonly name?: string;
    readonly aired?: string;
  };
  readonly job: string;
  readonly files: Readonly<Record<string, number | null>>;
  readonly expect: Layout['expect'];
}

export const layoutsOf = (kind: 'films' | 'episodes'): Layout[] =>
  readFileSync(new URL(`../fixtures/layouts/${kind}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => layoutOf(JSON.parse(line) as Row));

function layoutOf({ why, ask, job, files, expect }: Row): Layout {
  const { season, episode, name, aired, ...rest } = ask;
  const number = season !== undefined && episode !== undefined ? { season, episode } : undefined;
  const request: MediaRequest = {
    kind: number === undefined ? 'movie' : 'episode',
    ids: {},
    ...rest,
    ...(number !== undefined && {
      episode: {
        ...number,
        ...(name !== undefined && { title: name }),
        ...(aired !== undefined && { aired }),
      },
    }),
  };
  return { why, request, job, expect, files: Object.entries(files).map(fileOf) };
}

const MB = 1e6;

const fileOf = ([path, size]: readonly [string, number | null]): JobFile =>
  size === null ? { path: path.split('/') } : { path: path.split('/'), size: Math.round(size * MB) };
