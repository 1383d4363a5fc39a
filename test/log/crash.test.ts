import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** What a process of ours writes and how it ends, when this is what it does. */
async function crash(body: string) {
  const contents = `
    import { logCrashes, registerSecret } from './src/log/index.ts';
    registerSecret('canary-key-5d1f');
    logCrashes();
    ${body}`;
  const bundle = await build({
    stdin: { contents, resolveDir: new URL('../..', import.meta.url).pathname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const input = bundle.outputFiles[0]?.text ?? '';
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    input,
    encoding: 'utf8',
  });
  return { status, stderr };
}

test.each([
  ['an exception', `setImmediate(() => { throw new Error(text); });`],
  [
    'an exception with a cause',
    `setImmediate(() => { throw new Error('outer', { cause: new Error(text) }); });`,
  ],
  ['a rejection', `void Promise.reject(new Error(text));`],
  [
    'an event that nobody hears',
    `const { EventEmitter } = await import('node:events');
    setImmediate(() => { new EventEmitter().emit('error', new Error(text)); });`,
  ],
])('%s that nobody caught is written as a line of the log, without its secrets', async (_name, body) => {
  const { status, stderr } = await crash(
    `const text = 'GET https://i.test/api?apikey=hidden-one failed for canary-key-5d1f';
    setTimeout(() => process.stderr.write('went on'), 5_000);
    ${body}`,
  );
  expect(stderr).toMatch(
    /^error: the engine crashed \(\w+\): .*GET https:\/\/i\.test\/api\?apikey=\*\*\* failed for \*\*\*.*\n$/,
  );
  expect(status).toBe(1);
});
