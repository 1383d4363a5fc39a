import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { memoryLog } from '../support/log.ts';

describe('a log line', () => {
  test('is redacted', () => {
    const log = memoryLog();
    log.info('GET http://i.test/api?apikey=abc');
    log.error(
      'failed',
      new SlipstreamError('BAD_ANSWER', { what: 'x', next: 'y' }, { detail: '?token=abc' }),
    );
    expect(log.lines.join('\n')).not.toMatch(/abc/);
  });

  test('is one line, whatever a stranger put into it', () => {
    const log = memoryLog();
    log.warning('a\r\nerror: forged\u2028b\u0085c\u001b[31md\0e');
    expect(log.lines).toEqual(['warning: a | error: forged | b | c [31md e']);
  });

  test('has an end, and no secret is cut before it is masked', () => {
    const log = memoryLog();
    log.info(`${'x'.repeat(15_990)} apikey=${'s'.repeat(1_000_000)}`);
    expect(log.lines[0]!.length).toBeLessThan(17_000);
    expect(log.lines[0]).not.toContain('ss');
  });

  test('tells the causes, but not for ever', () => {
    const log = memoryLog();
    const loop = new Error('first', { cause: new Error('second') });
    (loop.cause as Error).cause = loop;
    log.error('it failed', loop);
    expect(log.lines[0]).toMatch(/it failed: Error: first.*<- Error: second/);
  });

  test('is written for anything that can be thrown', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    for (const thrown of [1n, Symbol('s'), circular, Object.create(null), null, () => 1, new Proxy({}, {})]) {
      const log = memoryLog();
      log.error('it failed', thrown);
      expect(log.lines).toHaveLength(1);
    }
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const log = memoryLog();
        log.error('it failed', thrown);
        expect(log.lines).toHaveLength(1);
      }),
    );
  });
});
