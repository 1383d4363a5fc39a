import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPathMappings } from '../../src/settings/path-mappings.ts';
import { memoryLog } from '../support/log.ts';

async function reading(content: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-mappings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = memoryLog();
  const document = openPathMappings(folder, log);
  const text = typeof content === 'string' ? content : JSON.stringify({ version: 1, value: content });
  await writeFile(join(folder, 'path-mappings.json'), text);
  return { mappings: await document.read(), document, log };
}

describe("the person's further folders", () => {
  it('are read as they were written', async () => {
    const { document } = await reading([]);
    const mappings = [{ from: 'D:\\Done', to: 'smb://nas/done' }];
    await document.write(mappings);
    expect(await document.read()).toEqual(mappings);
  });

  it('lose the entry that cannot be read, and no other', async () => {
    const good = { from: '/downloads/series', to: 'nfs://nas/series' };
    const bad = [
      null,
      'text',
      {},
      { from: '/d' },
      { from: '', to: '/x' },
      { from: '/d', to: 'x'.repeat(2_000) },
    ];
    const { mappings, log } = await reading([...bad, { ...good, from: ' /downloads/series ' }]);
    expect(mappings).toEqual([good]);
    expect(log.lines).toHaveLength(bad.length);
    expect(log.lines[3]).toMatch(/entry 4 is left out: to /);
  });

  it('tell nothing of what is written in a bad entry', async () => {
    const { log } = await reading([{ from: 7, to: 'smb://me:canary-6161@nas' }]);
    expect(log.lines.join()).not.toContain('canary');
  });

  it.each([
    'no JSON',
    '[]',
    JSON.stringify({ version: 2, value: [] }),
    JSON.stringify({ version: 1, value: {} }),
  ])('are none when the document is none: %s', async (text) => {
    expect((await reading(text)).mappings).toBeUndefined();
  });

  it('are the first fifty where there are more, which is told', async () => {
    const one = { from: '/d', to: '/m' };
    const { mappings, log } = await reading(Array.from({ length: 51 }, () => one));
    expect(mappings).toHaveLength(50);
    expect(log.lines).toEqual([expect.stringContaining('only the first 50 of 51 entries count')]);
  });
});
