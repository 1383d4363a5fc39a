import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { submissionsThatGoWrong } from '../submissions.ts';
import { CALM, QUICK, startLab } from './lab.ts';

submissionsThatGoWrong({
  startLab: () => startLab(),
  addressOf: ({ sandbox }) => new URL(sandbox.backend.apiUrl).origin,
  backendAt: (url, { sandbox }, patience) => {
    const config = { ...sandbox.backend, apiUrl: url, movieCategory: 'movies', tvCategory: 'tv' };
    return webdavBackend(config, memoryLog(), patience === 'calm' ? CALM : { ...CALM, submit: QUICK.submit });
  },
});
