import { describe } from 'vitest';
import { backendFaults } from '../../contracts/backend-faults.ts';
import { startLab } from './lab.ts';

describe('NZBGet', () => {
  backendFaults(startLab);
});
