import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { monotonicNow } from '../../src/io/monotonic-clock.ts';

test('two processes read one clock', async () => {
  const before = monotonicNow();
  const module = new URL('../../src/io/monotonic-clock.ts', import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then(({ monotonicNow }) => console.log(monotonicNow()))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '-e', script]);
  expect(Number(stdout)).toBeGreaterThanOrEqual(before);
  expect(Number(stdout)).toBeLessThanOrEqual(monotonicNow());
});
