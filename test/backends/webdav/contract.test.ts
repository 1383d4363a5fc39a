import { describe } from 'vitest';
import { ALTMOUNT, INFINIDYSK, NZBDAV } from '../../../sandbox/index.ts';
import { backendContract } from '../../contracts/backend.ts';
import { startLab } from './lab.ts';

describe.each([
  ['nzbdav', NZBDAV],
  ['InfiniDysk, its fork', INFINIDYSK],
  ['AltMount', ALTMOUNT],
])('%s', (_name, dialect) => {
  backendContract(() => startLab(dialect));
});
