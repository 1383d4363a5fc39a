import { describe, expect, it } from 'vitest';
import { chooseVideo } from '../../src/job-files/choose-video.ts';
import { type Layout, layoutsOf } from './layouts.ts';

/** What is chosen, as the rows of the table write it. */
function choiceOf({ files, request, job }: Layout, order = files): Layout['expect'] {
  const choice = chooseVideo(order, request, job);
  return choice.kind === 'chosen' ? choice.file.path.join('/') : { none: choice.reason };
}

const rows = [...layoutsOf('films'), ...layoutsOf('episodes')];

describe('chooseVideo, by the table of layouts', () => {
  it('has a table', () => {
    expect(rows.length).toBeGreaterThan(150);
  });

  it.each(rows.map((row) => ({ ...row, name: row.why })))('$name', (row) => {
    expect(choiceOf(row)).toEqual(row.expect);
  });

  it('does not depend on the order of the files', () => {
    for (const row of rows) {
      expect(choiceOf(row, row.files.toReversed()), row.why).toEqual(row.expect);
    }
  });
});
