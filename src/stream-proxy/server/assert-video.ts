import { nonVideoError } from '../../media/non-video-error.ts';

/** @param who ByteSource.label @throws as nonVideoError tells */
export function assertVideo(head: Uint8Array, who: string): void {
  const fault = nonVideoError(head, who);
  if (fault !== undefined) throw fault;
}
