import { testTmdb } from '../../search/index.ts';
import type { Service } from '../service.ts';

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
  test: ({ tmdb_api_key: key }, { signal }) => testTmdb({ key, signal, ...(url !== undefined && { url }) }),
});
