import { describe } from 'vitest';
import { backendFaults } from '../../contracts/backend-faults.ts';
import { startLab } from './lab.ts';

const SERVICES = ['altmount', 'streamnzb'] as const;
const VIAS = ['player', 'proxy'] as const;

describe.each(SERVICES.flatMap((kind) => VIAS.map((via) => [kind, via] as const)))(
  '%s, through the %s',
  (kind, via) => {
    backendFaults(() => startLab(kind, via));
  },
);
