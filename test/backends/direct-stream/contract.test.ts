import { describe } from 'vitest';
import { backendContract } from '../../contracts/backend.ts';
import { startLab, startProxiedLab } from './lab.ts';

describe.each(['altmount', 'streamnzb'] as const)('%s', (kind) => {
  describe('played by the media centre', () => {
    backendContract(() => startLab(kind));
  });

  describe('played through the proxy', () => {
    backendContract(() => startProxiedLab(kind));
  });
});
