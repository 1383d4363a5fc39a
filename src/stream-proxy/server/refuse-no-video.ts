import { startFault } from '../../media/start-fault.ts';

/** @param who Source.who @throws as startFault tells */
export function refuseNoVideo(head: Uint8Array, who: string): void {
  const fault = startFault(head, who);
  if (fault !== undefined) throw fault;
}
