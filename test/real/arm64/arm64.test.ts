import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundleEngine } from '../../../tools/build/engine.ts';
import { DIST, ENGINE_PATH, ROOT } from '../../../tools/lib/paths.ts';
import { run } from '../../../tools/lib/run.ts';
import { layoutsOf } from '../../job-files/layouts.ts';
import { expectEachRange, SIZES } from '../../stream-proxy/server/range-grid.ts';
import { startEngine } from '../../support/engine.ts';
import { startFileServer } from '../../support/file-server.ts';
import { prepare } from '../../support/proxy.ts';
import { arm64Node, arm64OrSkip } from './arm64-node.ts';

/** Milliseconds. Emulated, everything takes 4 to 13 times as long (dependencies measured it so). */
const EMULATED = 150_000;
const arm64 = await arm64OrSkip();

/** What a program answers on stdin's lines. Its status must be 0. */
async function answers(node: string, args: readonly string[], input: string): Promise<Buffer> {
  const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end(input);
  const output = await buffer(child.stdout);
  expect(await ended).toBe(0);
  return output;
}

function releaseNames(): string[] {
  const tables = ['frozen', 'tuning'].flatMap((half) =>
    ['films', 'series', 'world'].map((table) => join(ROOT, 'test/fixtures/names', half, `${table}.jsonl`)),
  );
  return tables
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { name: string }).name);
}

describe.skipIf(!arm64)('on ARM64', () => {
  it(
    'reads every recorded name, to the byte as x86-64 does',
    async () => {
      const node = await arm64Node(arm64!);
      const names = `${releaseNames().join('\n')}\n`;
      const command = [join(DIST, ENGINE_PATH), 'names'];
      const here = await answers(process.execPath, command, names);
      expect(here.toString().split('\n').length).toBeGreaterThan(1_800);
      expect((await answers(node, command, names)).equals(here)).toBe(true);
    },
    EMULATED,
  );

  it(
    'chooses the same file of every recorded layout, to the byte as x86-64 does',
    async () => {
      const node = await arm64Node(arm64!);
      const folder = mkdtempSync(join(tmpdir(), 'slipstream-arm64-'));
      onTestFinished(() => {
        rmSync(folder, { recursive: true });
      });
      const program = join(folder, 'layouts.cjs');
      await writeFile(program, (await bundleEngine(ROOT, 'test/real/arm64/layouts-program.ts', '0')).code);
      const layouts = [...layoutsOf('films'), ...layoutsOf('episodes')];
      const input = `${layouts.map((layout) => JSON.stringify(layout)).join('\n')}\n`;
      const here = await answers(process.execPath, [program], input);
      expect(here.toString().split('\n').length).toBe(layouts.length + 1);
      expect((await answers(node, [program], input)).equals(here)).toBe(true);
    },
    EMULATED,
  );

  it(
    'its proxy gives exactly what each range means, of files of every size',
    async () => {
      const proxy = await startProxyOn(await arm64Node(arm64!));
      for (const size of SIZES) {
        const files = await startFileServer(size);
        onTestFinished(() => files.close());
        await expectEachRange(proxy.port, new URL((await prepare(proxy, files.url)).url).pathname, size);
      }
    },
    EMULATED,
  );

  it(
    'runs the demo, and every byte arrives',
    async () => {
      const node = await arm64Node(arm64!);
      const tsx = ['--import', 'tsx', join(ROOT, 'tools/demo.ts')];
      const { status, output } = await run(process.execPath, [...tsx, '--node', node]);
      expect(output).toContain('Every byte of');
      expect(status).toBe(0);
    },
    EMULATED,
  );
});

/** The service of the built engine, on that Node. */
async function startProxyOn(node: string): Promise<{ port: number; token: string }> {
  const engine = startEngine({ command: 'service', node, start: { listen: { port: 0 } } });
  onTestFinished(async () => {
    engine.child.kill('SIGKILL');
    await engine.ended;
    rmSync(engine.dataFolder, { recursive: true });
  });
  const property = (name: string) => engine.properties.get(name) ?? '';
  await expect
    .poll(() => property('svc.proxy_token') && property('svc.proxy_port'), { timeout: 60_000 })
    .not.toBe('');
  return { port: Number(property('svc.proxy_port')), token: property('svc.proxy_token') };
}
