import { expect, test, vi } from 'vitest';
import type { ProgressState } from '../../src/host/port.ts';
import { openDelayedProgress } from '../../src/service/delayed-progress.ts';
import { recordingHost } from '../support/recording-host.ts';

const STATE: ProgressState = { stage: 'Searching Example' };

function stage() {
  const host = recordingHost();
  const begin = new AbortController();
  const progress = openDelayedProgress(begin.signal, () => host.openProgress('Sintel'));
  return {
    host,
    progress,
    begin: () => {
      begin.abort();
    },
  };
}

test('shows nothing until then, and then what it would show by now', async () => {
  const { host, progress, begin } = stage();
  await progress.update(STATE);
  expect([host.open(), host.progress]).toEqual([0, []]);
  begin();
  await vi.waitFor(() => {
    expect([host.open(), host.progress]).toEqual([1, [STATE]]);
  });
  await progress.close();
  expect(host.open()).toBe(0);
});

test('is cancelled with what it has opened', async () => {
  const { host, progress, begin } = stage();
  begin();
  await vi.waitFor(() => {
    expect(host.open()).toBe(1);
  });
  host.cancel();
  await vi.waitFor(() => {
    expect(progress.cancelled.aborted).toBe(true);
  });
});

test('opens nothing once it is closed', async () => {
  const { host, progress, begin } = stage();
  await progress.close();
  begin();
  await progress.update(STATE);
  expect(host.open()).toBe(0);
});
