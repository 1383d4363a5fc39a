import { nonVideoError } from '../../media/non-video-error.ts';

/** @param who Source.who @throws as startFault tells */
export function assertVideo(head: Uint8Array, who: string): void {
  const fault = nonVideoError(head, who);
  if (fault !== undefined) throw fault;
}
