// How an upstream misbehaves, as data. All times are milliseconds, all positions bytes of the file.

/** Both ends inclusive. */
export interface Region {
  readonly first: number;
  readonly last: number;
}

/** A part of a file that is not there yet; it comes so long after somebody first asked for it. */
export interface LateRegion extends Region {
  readonly milliseconds: number;
  /** What a GET is told that starts in it meanwhile; a body that runs into it is cut short. */
  readonly status: 404 | 503;
}

/** A place in an answer's body; the byte there is the first one that is not sent. */
export type CutPosition =
  | { readonly position: number }
  | { /** Bytes of this answer. */ readonly after: number };

/** How a body ends before its time. */
export type Cut =
  | 'fin'
  | 'reset'
  /** Well-formed where the framing allows it: the last chunk of a chunked body. */
  | 'clean';

/** What an answer's head may say that is not so, or not usual. */
export type HeadLie =
  /** Content-Range's numbers and Content-Length, off by so many bytes. */
  | { readonly what: 'first' | 'last' | 'size' | 'length'; readonly by: number }
  /** 200 and the whole file, whatever part was asked for. */
  | { readonly what: 'whole' }
  | { readonly what: 'no-content-range' }
  | { readonly what: 'content-range'; readonly value: string }
  | { readonly what: 'encoding'; readonly value: string }
  /** A validator that is another one with each answer, though the file is the same. */
  | { readonly what: 'etag' | 'last-modified' }
  /** The body is framed by chunks, or by the connection's end: unusual, not wrong. */
  | { readonly what: 'chunked' | 'no-length' }
  /** Fewer bytes than were asked for, and an honest head that says so. */
  | { readonly what: 'less'; readonly bytes: number };

export type Fault = FaultKind & {
  /** So many chances to strike are let pass. */
  readonly skip?: number;
  /** How often it strikes; absent: always. */
  readonly times?: number;
};

type FaultKind =
  /** The connection is reset as soon as it stands. */
  | { readonly kind: 'refuse' }
  /** The request is read, then the connection ends. */
  | { readonly kind: 'no-answer'; readonly how: 'fin' | 'reset' }
  | { readonly kind: 'late-head'; readonly milliseconds: number }
  /** `retryAfter`: seconds. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'lie'; readonly lie: HeadLie }
  /** Bytes after the promised ones. */
  | { readonly kind: 'surplus'; readonly bytes: number }
  | { readonly kind: 'cut'; readonly at: CutPosition; readonly how: Cut }
  | { readonly kind: 'stall'; readonly at: CutPosition; readonly milliseconds: number }
  | {
      /** Port and connections are closed, for so long. */
      readonly kind: 'away';
      readonly at: CutPosition;
      readonly milliseconds: number;
    }
  | {
      /** The connections break, and from there on it is another file under the same name. */
      readonly kind: 'change';
      readonly at: CutPosition;
      /** Absent: the size stays, and only the validators tell. */
      readonly size?: number;
    };

/** Whose habits the server has: protocols.md §2.4; Go's net/http for AltMount and rclone. */
export type DialectName = 'nzbdav' | 'infinidysk' | 'go';

export interface Script {
  readonly dialect: DialectName;
  readonly faults: readonly Fault[];
  /** Parts of the file that are gone for good, as usenet articles are. */
  readonly missing: readonly Region[];
  readonly late: readonly LateRegion[];
  /** Before each head. */
  readonly latency: number;
  /** Bytes per second. */
  readonly pace: { readonly perConnection?: number; readonly total?: number };
  /** A connection on which so long nothing could be sent is closed. */
  readonly idle: number;
}

/** Nothing goes wrong. */
export const NO_FAULTS: Script = {
  dialect: 'go',
  faults: [],
  missing: [],
  late: [],
  latency: 0,
  pace: {},
  idle: Infinity,
};

/** The same script with every time multiplied. */
export function scaleScript(script: Script, factor: number): Script {
  return {
    ...script,
    latency: script.latency * factor,
    idle: script.idle * factor,
    late: script.late.map((region) => ({ ...region, milliseconds: region.milliseconds * factor })),
    faults: script.faults.map((fault) =>
      'milliseconds' in fault ? { ...fault, milliseconds: fault.milliseconds * factor } : fault,
    ),
  };
}
