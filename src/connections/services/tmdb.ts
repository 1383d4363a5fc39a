import type { Check } from '../../diagnosis/check.ts';
import { testTmdb } from '../../search/index.ts';
import { missingCheck } from '../missing-values.ts';
import type { Service } from '../service.ts';

/** TMDb is not asked for it. */
const NO_KEY: readonly Check[] = [
  { what: 'The API key of TMDb', setting: 'tmdb_api_key', failure: missingCheck('tmdb_api_key') },
];

/** @param url Another address than TMDb's own. */
export const tmdbService = (url?: string): Service => ({
  id: 'tmdb',
  name: 'TMDb',
  help: 'Tells running times and further titles, by which the right release is told from the wrong ones. Films play without it.',
  role: 'extra',
  fields: [{ setting: 'tmdb_api_key' }],
  chosenBy: {},
  usualPorts: [],
  isSetUp: ({ tmdb_api_key }) => tmdb_api_key !== '',
  test: async ({ tmdb_api_key: key }, { signal }) => {
    signal.throwIfAborted();
    if (key === '') return NO_KEY;
    return await testTmdb({ key, signal, ...(url !== undefined && { url }) });
  },
});
