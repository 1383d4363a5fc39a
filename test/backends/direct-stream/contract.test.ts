import { describe } from 'vitest';
import { backendContract } from '../../contracts/backend.ts';
import { startLab } from './lab.ts';

describe.each(['altmount', 'streamnzb'] as const)('%s', (kind) => {
  backendContract(() => startLab(kind));
});
