import { expect, onTestFinished } from 'vitest';
import { CANARY, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { type Action, type ActionRequest, runAction, type SetupContext } from '../../src/setup/index.ts';
import { memoryLog } from '../support/log.ts';
import { type RecordingHost, type RecordingOptions, recordingHost } from '../support/recording-host.ts';

/** Somebody in front of the set-up, and the sandbox's services on the wire. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly host: RecordingHost;
  readonly log: ReturnType<typeof memoryLog>;
  readonly context: SetupContext;
  /** What was to be played. */
  readonly played: MediaRequest[];
  /** What the next plays come to; all others go well. */
  plays: (() => Promise<boolean>)[];
}

export async function stage(options: RecordingOptions = {}, services: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ jobDuration: 50, ...services });
  onTestFinished(() => sandbox.close());
  const host = recordingHost(options);
  const log = memoryLog();
  const made: Stage = {
    sandbox,
    host,
    log,
    played: [],
    plays: [],
    context: {
      host,
      log,
      signal: host.aborted,
      play: (request) => {
        made.played.push(request);
        return made.plays.shift()?.() ?? Promise.resolve(true);
      },
    },
  };
  return made;
}

/** An action while a person answers; gives what it came to. Nothing may stay open. */
export async function during(
  running: Promise<unknown>,
  { host }: Pick<Stage, 'host'>,
  answers: (person: RecordingHost['person']) => Promise<unknown>,
): Promise<void> {
  const ended = running.then(
    () => 'ended',
    (error: unknown) => {
      throw error;
    },
  );
  await Promise.race([answers(host.person), ended.then(() => new Promise(() => undefined))]);
  expect(await ended).toBe('ended');
  expect(host.open()).toBe(0);
}

/** The same for one action by its name. */
export const act = (
  action: Action | ActionRequest,
  staged: Stage,
  answers: (person: RecordingHost['person']) => Promise<unknown>,
): Promise<void> =>
  during(runAction(typeof action === 'string' ? { action } : action, staged.context), staged, answers);

export const KEYS = CANARY;
