import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/diagnosis/check.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { registerSecret } from '../../../src/log/index.ts';
import { shownChecks } from '../../../src/setup/phone/shown-checks.ts';

const failing = (what: string, next: string) => new SlipstreamError('UNREACHABLE', { what, next });

const shown = (check: Partial<Check>, entered = 'http://nas:9697', plain: readonly string[] = []) =>
  shownChecks([{ what: 'The address', setting: 'prowlarr_url', ...check }], {
    entered: () => entered,
    shown: new Set(plain),
  })[0]!;

describe('what a test has found, on the page', () => {
  const failure = failing('It is elsewhere.', 'Enter that.');
  const known = (value: string) => ({ failure, mend: { setting: 'prowlarr_url', value } as const });

  it('has what is known to be right, and whether it keeps the service from working', () => {
    const { mend } = known('http://nas:9696');
    expect(shown({ failure, mend })).toMatchObject({ isWrong: true, mend });
    expect(shown({ failure, isNote: true })).not.toHaveProperty('isWrong');
  });

  it.each([
    ['what was entered has a login, which it would lose', 'http://me:secret@nas:9697', 'http://nas:9696'],
    ['it is secret itself', 'http://nas', 'https://nas/canary/manifest.json'],
  ])('does not have it where %s', (_why, entered, value) => {
    expect(shown(known(value), entered)).not.toHaveProperty('mend');
  });

  it('has no secret in its words, but what merely equals what the page shows', () => {
    registerSecret('canary-sita');
    const check = {
      what: 'canary-sita looks',
      found: 'canary-sita is there',
      unproven: 'canary-sita is not there yet',
      failure: failing('canary-sita is gone.', 'Look for canary-sita.'),
    };
    const told = shown(check);
    expect(JSON.stringify(told)).not.toContain('sita');
    expect(told).toMatchObject({ what: '*** looks', failure: { next: 'Look for ***.' } });
    expect(shown(check, '', ['canary-sita'])).toMatchObject({
      what: check.what,
      found: check.found,
      unproven: check.unproven,
      failure: check.failure.explanation,
    });
  });

  it.each(['rama-7', 'rama-77'])(
    'has the value of its button as it is, whatever the password: %s',
    (user) => {
      registerSecret('rama-7');
      const told = shown({
        setting: 'webdav_username',
        failure: failing('It has another user.', `Enter ${user} as its user.`),
        mend: { setting: 'webdav_username', value: user },
      });
      expect(told.mend).toEqual({ setting: 'webdav_username', value: user });
    },
  );

  it('names its settings as they are, whatever the password', () => {
    registerSecret('webdav');
    const told = shown({ setting: 'webdav_password', alsoLikely: ['webdav_username'], failure });
    expect(told).toMatchObject({ setting: 'webdav_password', alsoLikely: ['webdav_username'] });
  });
});
