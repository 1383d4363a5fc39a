import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeNzb } from '../../../src/backends/nzb/write.ts';
import { parseXml } from '../../../src/io/xml.ts';
import { nzbBytes, type WrittenFile } from '../../support/nzb.ts';
import { contentOf, streamable, turns } from './lab.ts';

/** Whatever XML can hold, the characters that need care more often than chance would have it. */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('&', '<', '>', '"', "'", '\n', '\r', '\t', ' ', ']', '$', 'é', '😀'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 30,
  })
  .filter((each) => !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(each));

/** What may stand in a command of NNTP. */
const messageId = fc
  .string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 60,
  })
  .filter((id) => !/[<>]/.test(id));

const file: fc.Arbitrary<WrittenFile> = fc.record({
  subject: text,
  poster: text,
  date: text,
  groups: fc.array(text, { maxLength: 3 }),
  segments: fc.array(
    fc.record({ id: messageId, bytes: fc.nat(), number: fc.option(fc.nat(9_999_999), { nil: undefined }) }),
    { minLength: 1, maxLength: 6 },
  ),
});

const metas = fc.array(fc.record({ type: text, text }), { maxLength: 3 });

describe('a written NZB', () => {
  it('says what the one that was read says, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), metas, async (files, head) => {
        const read = await contentOf(nzbBytes(files, head));
        expect(read).toEqual({ metas: head, files });
        const written = await writeNzb(read, turns());
        expect(await contentOf(written)).toEqual(read);
        expect(parseXml(written).name).toBe('nzb');
      }),
    );
  });

  it('keeps ids, groups, dates and metas of files that are whole, in the order of their numbers', async () => {
    const whole = fc.uniqueArray(messageId, { minLength: 1, maxLength: 8 }).chain((ids) =>
      fc.record({ poster: text, date: text, groups: fc.array(text, { maxLength: 3 }) }).chain((rest) => {
        const segments = ids.map((id, at) => ({ id, bytes: 700_000, number: at + 1 }));
        return fc
          .shuffledSubarray(segments, { minLength: ids.length })
          .map((shuffled) => ({ ...rest, segments, shuffled }));
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(whole, { minLength: 1, maxLength: 4 }), metas, async (posted, head) => {
        const files = posted.map(({ shuffled, ...rest }, at) => ({
          ...rest,
          subject: `"Sintel.part${at + 1}.rar" yEnc (1/${rest.segments.length})`,
          segments: shuffled,
        }));
        const result = await streamable([files, head]);
        if ('lacking' in result) expect.unreachable('nothing lacks');
        const expected = files.map((each, at) => ({ ...each, segments: posted[at]?.segments }));
        expect(result.content).toEqual({ metas: head, files: expected });
      }),
    );
  });

  it('has no date where none is known, and is read by who takes no bare ampersand', async () => {
    const lenient = Buffer.from(
      '<nzb><file subject="a & b"><segments><segment>1@x</segment></segments></file></nzb>',
    );
    const written = Buffer.from(await writeNzb(await contentOf(lenient), turns())).toString();
    expect(written).toContain('<file poster="" subject="a &amp; b">');
  });
});
