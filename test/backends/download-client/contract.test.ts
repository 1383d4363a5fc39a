import { describe } from 'vitest';
import { backendContract } from '../../contracts/backend.ts';
import { startLab } from './lab.ts';

describe('NZBGet', () => {
  backendContract(startLab);
});
