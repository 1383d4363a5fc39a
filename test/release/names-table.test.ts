import { describe, expect, it } from 'vitest';
import { type Field, percent, scoreOf } from '../../bench/names/fields.ts';
import { ourReadings } from '../../bench/names/score.ts';
import { namesTable } from '../../bench/names/table.ts';

// The half that the rules were made with; the other half is only ever counted, by npm run bench.
const rows = namesTable('tuning');
const readings = await ourReadings(rows);

/** Percent of the rows that name a field, or for which the parser invents one. */
const FLOORS: Readonly<Record<Field, number>> = {
  title: 99,
  aka: 95,
  year: 99,
  seasons: 99,
  episodes: 99,
  date: 99,
  complete: 99,
  resolution: 99.5,
  source: 99.5,
  remux: 99,
  disc: 99,
  hybrid: 99,
  upscaled: 99,
  threeD: 99,
  codec: 99.7,
  bitDepth: 99,
  hdr: 99.3,
  dolbyVisionProfile: 99,
  audio: 99,
  channels: 99,
  languages: 98,
  subtitles: 98,
  multi: 99,
  dual: 99,
  group: 99,
  edition: 98,
  proper: 99,
  repack: 99,
  revision: 99,
  network: 99,
  container: 99,
  obfuscated: 99,
};

describe('the table of release names', () => {
  it.each(Object.entries(FLOORS) as [Field, number][])('%s is read right in %d %%', (field, floor) => {
    const score = scoreOf(field, rows, readings);
    const list = score.wrong.map(
      ({ name, expected, read }) => `${name}: ${JSON.stringify(read)} instead of ${JSON.stringify(expected)}`,
    );
    expect(percent(score), list.join('\n')).toBeGreaterThanOrEqual(floor);
  });
});
