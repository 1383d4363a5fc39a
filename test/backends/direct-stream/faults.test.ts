import { describe } from 'vitest';
import { backendFaults } from '../../contracts/backend-faults.ts';
import { startLab } from './lab.ts';

describe.each(['altmount', 'streamnzb'] as const)('%s', (kind) => {
  backendFaults(() => startLab(kind));
});
