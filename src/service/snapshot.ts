import * as v from 'valibot';
import type { ServiceHost } from '../host/port.ts';
import type { Logger } from '../log/index.ts';

const Snapshot = v.object({
  proxy: v.optional(v.unknown()),
  playing: v.optional(v.string()),
});
type Snapshot = v.InferOutput<typeof Snapshot>;

/** What a replacement of this engine would need; the host keeps it in memory and gives it to the next engine. */
export interface SnapshotKeeper {
  /** What the engine before this one left. */
  readonly inherited: Snapshot;
  /** Merges a change into the snapshot and hands it to the host. */
  readonly save: (change: Snapshot) => void;
}

export function openSnapshot(host: ServiceHost, log: Logger): SnapshotKeeper {
  const parsed = v.safeParse(Snapshot, host.snapshot ?? {});
  if (!parsed.success)
    log.warning('the snapshot of the engine before this one is of another form; starting afresh');
  const inherited = parsed.success ? parsed.output : {};
  let state = inherited;
  return {
    inherited,
    save: (change) => {
      state = { ...state, ...change };
      host.saveSnapshot(state).catch((error: unknown) => {
        log.error('the snapshot could not be kept', error);
      });
    },
  };
}
