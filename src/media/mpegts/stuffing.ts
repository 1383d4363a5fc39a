/** Bytes of a packet; Blu-rays have four more before each. */
const PACKETS = [188, 192];
const SYNC = 0x47;

/** Null packets (PID 0x1fff) and nothing else, wherever the first one begins (ISO/IEC 13818-1 §2.4.3). */
export function isStuffing(bytes: Uint8Array): boolean {
  const isNull = (at: number) =>
    bytes[at] === SYNC && ((bytes[at + 1] ?? 0) & 0x1f) === 0x1f && bytes[at + 2] === 0xff;
  const onlyNull = (from: number, packet: number): boolean => {
    for (let at = from; at + 2 < bytes.byteLength; at += packet) if (!isNull(at)) return false;
    return true;
  };
  return PACKETS.some((packet) => {
    for (let from = 0; from < packet; from++) if (onlyNull(from, packet)) return true;
    return false;
  });
}
