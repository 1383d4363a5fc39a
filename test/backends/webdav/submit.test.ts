import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { submissionsThatGoWrong } from '../submissions.ts';
import { QUICK, startLab } from './lab.ts';

submissionsThatGoWrong({
  startLab: () => startLab(),
  addressOf: ({ sandbox }) => new URL(sandbox.backend.apiUrl).origin,
  backendAt: (url, { sandbox }) => {
    const config = { ...sandbox.backend, apiUrl: url, movieCategory: 'movies', tvCategory: 'tv' };
    return webdavBackend(config, memoryLog(), { ...QUICK, submit: 1_500, request: 1_000 });
  },
});
