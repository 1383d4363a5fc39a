import { startChild } from '../child.ts';
import { play } from '../client.ts';
import type { Figure } from '../figure.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { forgetPeak, peakResident, resident } from '../usage.ts';
import { FILE_SIZE, FILM_RATE, localUrl, MIB } from './setup.ts';

const READ_AHEAD = 32 * MIB;
const SLACK = 24 * MIB;
const LIMIT = 150 * MIB;
const SECONDS = 60;

/** The most memory that the service takes while a player reads at 100 Mbit/s. */
export const memory: Figure = {
  name: 'proxy.memory',
  unit: 'MiB',
  target: `≤ idle + ${(READ_AHEAD + SLACK) / MIB} and ≤ ${LIMIT / MIB}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
      const service = await use(startService());
      // The first request loads what every later one needs.
      await service.status();
      const idle = await resident(service.pid);
      const url = await service.prepare(localUrl(origin.said));
      await forgetPeak(service.pid);
      await play(url, FILM_RATE, SECONDS);
      const peak = await peakResident(service.pid);
      return {
        value: peak / MIB,
        met: peak <= idle + READ_AHEAD + SLACK && peak <= LIMIT,
        note: `idle ${(idle / MIB).toFixed(0)} MiB; peak of ${SECONDS} s at 100 Mbit/s`,
      };
    }),
};
