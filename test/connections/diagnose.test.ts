import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/connections/diagnose.ts';
import { type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { closedPort } from '../support/http-server.ts';
import { startLab, testContext, WRONG } from './labs.ts';

const failed = (code: ErrorCode) => new SlipstreamError(code, { what: 'x.', next: 'x.' });

async function setUp(wrong: Readonly<Record<string, string>> = {}) {
  const [indexer, backend] = [await startLab('newznab'), await startLab('webdav')];
  return parseSettings({ ...indexer.settings, ...backend.settings, ...wrong });
}

describe('why a play has failed', () => {
  test('is what is wrong with the backend', async () => {
    const settings = await setUp({ webdav_api_key: WRONG });
    expect(await diagnose(settings, failed('AUTH_FAILED'), await testContext())).toMatchObject({
      setting: 'webdav_api_key',
      failure: { code: 'AUTH_FAILED' },
    });
  });

  test('is what is wrong with the indexer', async () => {
    const settings = await setUp({ indexer_url: await closedPort() });
    expect(await diagnose(settings, failed('UNREACHABLE'), await testContext())).toMatchObject({
      setting: 'indexer_url',
    });
  });

  test('is of the same kind as the failure, where several things are wrong', async () => {
    const settings = await setUp({ webdav_api_url: await closedPort(), indexer_api_key: WRONG });
    const found = async (code: ErrorCode) =>
      (await diagnose(settings, failed(code), await testContext()))?.setting;
    expect(await found('AUTH_FAILED')).toBe('indexer_api_key');
    expect(await found('UNREACHABLE')).toBe('webdav_api_url');
  });

  test('is looked for where it has failed, if that is known', async () => {
    const settings = await setUp({ webdav_api_key: WRONG, indexer_api_key: WRONG });
    const found = async (where: 'search' | 'play') =>
      (await diagnose(settings, failed('AUTH_FAILED'), { ...(await testContext()), failed: where }))?.setting;
    expect(await found('search')).toBe('indexer_api_key');
    expect(await found('play')).toBe('webdav_api_key');
  });

  test('may stand in the list, which no setting mends', async () => {
    const context = await testContext();
    const entry = { kind: 'newznab', name: 'Listed', url: await closedPort() };
    const text = JSON.stringify({ version: 1, value: [entry] });
    writeFileSync(join(context.folder, 'sources.json'), text, { mode: 0o600 });
    const check = await diagnose(await setUp(), failed('UNREACHABLE'), context);
    expect(check?.failure?.explanation.what).toContain('Nothing runs at');
    expect(check).not.toHaveProperty('setting');
  });

  test('is not told when all works, nor of what no connection is to blame for', async () => {
    expect(await diagnose(await setUp(), failed('TIMEOUT'), await testContext())).toBeUndefined();
    const settings = await setUp({ webdav_api_key: WRONG });
    for (const code of ['NO_RESULTS', 'JOB_FAILED', 'RATE_LIMITED', 'DAMAGED'] as const)
      expect(await diagnose(settings, failed(code), await testContext())).toBeUndefined();
  });

  test('is not looked for when nobody wants to know any more', async () => {
    const reason = new Error('gone');
    const context = await testContext(AbortSignal.abort(reason));
    await expect(diagnose(parseSettings({}), failed('TIMEOUT'), context)).rejects.toBe(reason);
  });
});
