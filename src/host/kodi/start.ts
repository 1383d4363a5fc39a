import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import type { BridgePeer } from './peer.ts';

const Start = v.looseObject({
  entry: v.picklist(['resolve', 'action', 'script', 'service']),
  argv: v.array(v.string()),
  handle: v.number(),
  addon: v.looseObject({ id: v.string(), version: v.string(), path: v.string() }),
  data: v.string(),
  kodi: v.string(),
  /** The id of the language add-on that Kodi uses: "resource.language.en_gb". */
  language: v.optional(v.string()),
  listen: v.optional(v.union([v.object({ fd: v.number() }), v.object({ port: v.number() })])),
  snapshot: v.optional(v.unknown()),
});

/** The host's first message: why and for what the engine was started (docs/bridge.md). */
export type StartMessage = v.InferOutput<typeof Start>;

/** Waits for the first message. @throws HOST_FAILED when the host closes the bridge before. */
export function receiveStart(peer: BridgePeer): Promise<StartMessage> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) => {
      reject(
        new SlipstreamError(
          'HOST_FAILED',
          { what: 'Kodi did not say what to start.', next: 'Restart Kodi.' },
          { cause },
        ),
      );
    };
    const onClosed = () => {
      fail();
    };
    if (peer.closed.aborted) onClosed();
    else peer.closed.addEventListener('abort', onClosed, { once: true });
    peer.handle('start', (params) => {
      const result = v.safeParse(Start, params);
      if (result.success) resolve(result.output);
      else fail(new v.ValiError(result.issues));
    });
  });
}
