import { describe, expect, it } from 'vitest';
import type { FinishedJob } from '../../../src/backends/backend.ts';
import {
  ALTMOUNT,
  type Dialect,
  INFINIDYSK,
  NZBDAV,
  SABNZBD,
} from '../../../src/backends/webdav/dialect/index.ts';

const JOB: FinishedJob = { id: '1', name: 'Sintel', category: 'movies', storage: '' };
const FOLDERS = { complete: ['complete'], names: [], categories: new Map([['tv', 'shows']]) };

const paths = (dialect: Dialect, job: Partial<FinishedJob>, folders = FOLDERS) =>
  dialect
    .jobLocations({ ...JOB, ...job }, folders)
    .map(({ folder, stem }) => folder.join('/') + (stem === undefined ? '' : `/${stem}.*`));

describe.each([NZBDAV, INFINIDYSK, SABNZBD])('where $name has put a finished job', (dialect) => {
  it.each([
    ['symlinks', '/mnt/nzbdav/completed-symlinks/movies/Sintel (2)', 'content/movies/Sintel (2)'],
    ['strm files', '/data/completed-downloads/movies/Sintel (2)/', 'content/movies/Sintel (2)'],
    ['a Windows server', 'C:\\done\\movies\\Sintel (2)', 'content/movies/Sintel (2)'],
    ['nzbdav-rs', '/content/movies/Sintel (2)', 'content/movies/Sintel (2)'],
    ['nzbdav-rs with other folders', '/content/a/b/Sintel', 'content/a/b/Sintel'],
    ['a name alone', 'Sintel (2)', 'content/movies/Sintel (2)'],
    ['a way out', '/..', 'content/movies/Sintel'],
    ['nothing', '', 'content/movies/Sintel'],
  ])('%s', (_name, storage, first) => {
    expect(paths(dialect, { storage })[0]).toBe(first);
  });

  it('looks in the folder that the storage names when its category is called otherwise', () => {
    expect(paths(dialect, { storage: '/mnt/completed-symlinks/Films/Sintel' })).toEqual([
      'content/movies/Sintel',
      'content/Films/Sintel',
    ]);
  });
});

describe('where AltMount has put a finished job', () => {
  it.each([
    ['a folder', '/mnt/altmount/complete/movies/Sintel', 'complete/movies/Sintel'],
    ['a symlink', '/mnt/library/movies/Sintel/Sintel.2010.mkv', 'complete/movies/Sintel'],
    ['a strm file', '/mnt/library/movies/Sintel/Sintel.2010.strm', 'complete/movies/Sintel'],
    ['a file without a folder', '/mnt/library/movies/Sintel.2010.strm', 'complete/movies/Sintel.2010.*'],
    ['a name with dots', '/mnt/altmount/complete/movies/Sintel.2010', 'complete/movies/Sintel.2010'],
    ['nothing', '', 'complete/movies/Sintel'],
  ])('%s', (_name, storage, first) => {
    expect(paths(ALTMOUNT, { storage })[0]).toBe(first);
  });

  it('takes the folder of a category from its settings, in any case of letters', () => {
    expect(paths(ALTMOUNT, { category: 'TV', storage: '/x/shows/Caminandes' })[0]).toBe(
      'complete/shows/Caminandes',
    );
  });

  it('knows that the folder of finished jobs may be named with its mount', () => {
    const complete = ['mnt', 'altmount', 'complete'];
    expect(
      paths(ALTMOUNT, { storage: '/mnt/altmount/complete/movies/Sintel' }, { ...FOLDERS, complete }),
    ).toEqual(['mnt/altmount/complete/movies/Sintel', 'complete/movies/Sintel']);
  });
});
