import { describe } from 'vitest';
import { ALTMOUNT, INFINIDYSK, NZBDAV } from '../../../sandbox/index.ts';
import { backendFaults } from '../../contracts/backend-faults.ts';
import { QUICK, startLab } from './lab.ts';

/** Several plays at once on a slow machine: a fault may cost a play this much, but nothing else may. */
const times = { ...QUICK, submit: 900, request: 700, read: 900 };

describe.each([
  ['nzbdav', NZBDAV, 60],
  ['InfiniDysk', INFINIDYSK, 25],
  ['AltMount', ALTMOUNT, 25],
] as const)('%s', (_name, dialect, runs) => {
  backendFaults(() => startLab(dialect, { times, isFresh: true }), runs);
});
