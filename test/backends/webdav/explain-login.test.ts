import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CANARY,
  type Dialect,
  INFINIDYSK,
  NZBDAV,
  type Sandbox,
  startSandbox,
} from '../../../sandbox/index.ts';
import { type WebdavConfig, webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { CALM } from './lab.ts';

const { signal } = new AbortController();

async function started(dialect: Dialect) {
  const sandbox = await startSandbox({ dialect, username: 'sita' });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** What the test of the connection ends with, and all that it has let out. */
async function verdict({ backend }: Sandbox, own: Partial<WebdavConfig>) {
  const log = memoryLog();
  const config = { ...backend, movieCategory: 'movies', tvCategory: 'tv', ...own };
  const checks = await webdavBackend(config, log, CALM).test(signal);
  const { failure, setting, alsoLikely, mend } = checks.at(-1)!;
  return {
    setting,
    alsoLikely,
    mend,
    what: failure?.explanation.what,
    next: failure?.explanation.next,
    words: `${JSON.stringify(checks)} ${failure?.stack} ${log.lines.join()}`,
  };
}

describe('a WebDAV user that nobody has entered', () => {
  it('is told to be unchanged, and may be as wrong as the password', async () => {
    expect(await verdict(await started(NZBDAV), { username: 'admin' })).toMatchObject({
      what: 'The WebDAV of nzbdav refused the user or password (user admin, which you have not changed).',
      setting: 'webdav_password',
      alsoLikely: ['webdav_username'],
      mend: undefined,
    });
  });

  it('takes the name that InfiniDysk tells, without a question', async () => {
    expect(await verdict(await started(INFINIDYSK), { username: 'admin' })).toMatchObject({
      what: 'The WebDAV of InfiniDysk has another user than admin.',
      next: 'Enter sita as its user.',
      setting: 'webdav_username',
      mend: { setting: 'webdav_username', value: 'sita', isUnasked: true },
    });
  });
});

describe('a WebDAV user that was entered', () => {
  it('is offered the name that InfiniDysk tells', async () => {
    const { mend } = await verdict(await started(INFINIDYSK), { username: 'rama' });
    expect(mend).toEqual({ setting: 'webdav_username', value: 'sita' });
  });

  it('is admin at an InfiniDysk where nobody has changed it', async () => {
    const sandbox = await started(INFINIDYSK);
    const body = '{"configItems":[],"status":true,"error":null}';
    sandbox.faults.api.push({ kind: 'body', body, when: ({ path }) => path.endsWith('/get-config') });
    const { mend } = await verdict(sandbox, { username: 'rama' });
    expect(mend).toEqual({ setting: 'webdav_username', value: 'admin' });
  });

  it('leaves the password where it is the right one', async () => {
    const told = await verdict(await started(INFINIDYSK), { password: 'wrong' });
    expect(told).toMatchObject({
      what: 'The WebDAV of InfiniDysk refused the password.',
      setting: 'webdav_password',
      alsoLikely: undefined,
    });
  });
});

describe.each([NZBDAV, INFINIDYSK])('a password', (dialect) => {
  it(`that is not entered is not called wrong: ${dialect.family}`, async () => {
    const { what, setting } = await verdict(await started(dialect), { password: '' });
    expect(what).toMatch(/^The WebDAV of \w+ wants a password, and none is entered\.$/);
    expect(setting).toBe('webdav_password');
  });
});

describe('what else InfiniDysk tells with its user', () => {
  it.each([
    ['of the right shape', { configItems: [{ configName: 'api.key', configValue: CANARY.apiKey }] }],
    ['of another shape', { [CANARY.apiKey]: { 'api.key': CANARY.apiKey } }],
    ['as an error', { status: false, error: `no: ${CANARY.apiKey}` }],
  ])('is neither kept nor logged: %s', async (_what, answer) => {
    const sandbox = await started(INFINIDYSK);
    const body = JSON.stringify(answer);
    // The first is the question for the queue.
    let asked = 0;
    const when = ({ path }: { path: string }) => path.endsWith('/get-config') && ++asked > 1;
    sandbox.faults.api.push({ kind: 'body', body, when });
    const { words } = await verdict(sandbox, { username: 'rama', password: 'wrong' });
    expect(words).not.toContain('93c07e');
    expect(asked).toBe(2);
  });
});
