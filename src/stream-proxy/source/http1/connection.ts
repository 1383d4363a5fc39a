import net, { type OnReadOpts, type Socket } from 'node:net';
import tls from 'node:tls';

// One connection to an origin, which reads each byte once: into the room it is given, or into a scratch of its own.

/** Who uses a connection at the moment. All calls are synchronous. */
export interface ConnectionReader {
  /** More bytes stand in the backlog. */
  arrived(): void;
  /** So many bytes stand at the beginning of the room that `read` was given. */
  filled(bytes: number): void;
  /** The connection is over, see `Connection.over`. Called once; nothing follows. */
  ended(): void;
}

export interface TlsSessionStore {
  /** The last session with this origin: a handshake with it costs one round trip less. */
  readonly session: Buffer | undefined;
  readonly remember: (session: Buffer) => void;
}

/** Why a connection is over: the server's own end has no cause. */
export interface ConnectionEnd {
  readonly cause: Error | undefined;
}

/** Bytes; more than a TLS record, and what the kernel commonly gives at a time. */
const SCRATCH = 64 * 1024;
/** Milliseconds of silence before the kernel asks whether the other end still lives. */
const KEEP_ALIVE_DELAY = 30_000;

/**
 * Scratches of connections that are gone. Each seek makes a connection, and what it leaves behind would lie about until
 * the next great collection, tens of megabytes of it.
 */
const spareScratches: Buffer[] = [];
const MAX_SPARE = 8;
const NO_SCRATCH = Buffer.alloc(0);

export class UpstreamConnection {
  readonly #socket: Socket;
  #reader: ConnectionReader;
  #over: ConnectionEnd | undefined;
  #reading = true;
  #connected = false;
  /** To be written as soon as it is connected. */
  #unsent = '';

  /** What was read but belongs to no room yet is `#scratch[#start..#end]`. */
  #scratch = spareScratches.pop() ?? Buffer.allocUnsafeSlow(SCRATCH);
  #start = 0;
  #end = 0;
  /** Where the next read shall go; undefined: into the scratch. */
  #room: Uint8Array | undefined;
  /**
   * Where it does go: node asks for the next buffer only right after a read, so a room that is given while nothing is
   * being read comes one read too late.
   */
  #given: Uint8Array | undefined;

  /** Connects at once. */
  constructor(url: URL, memory: TlsSessionStore, reader: ConnectionReader) {
    this.#reader = reader;
    this.#socket = connect(url, memory, {
      buffer: () => this.#nextBuffer(),
      callback: (bytes) => this.#read(bytes),
    });
    this.#socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      this.#connected = true;
      this.#socket.write(this.#unsent, 'latin1');
    });
    this.#socket.on('end', () => {
      this.#finish({ cause: undefined });
    });
    this.#socket.on('error', (cause) => {
      this.#finish({ cause });
    });
    this.#socket.on('close', () => {
      this.#finish({ cause: undefined });
      this.#spareScratch();
    });
    // Without this the stream would never come to its end, for nobody reads from it as a stream.
    this.#socket.resume();
  }

  /** Set once the connection has ended, failed or been destroyed. The backlog may still hold bytes. */
  get over(): ConnectionEnd | undefined {
    return this.#over;
  }

  /** What was read and not taken yet. Stands only until the next read. */
  get backlog(): Buffer {
    return this.#scratch.subarray(this.#start, this.#end);
  }

  /** Takes bytes off the beginning of the backlog. */
  skip(bytes: number): void {
    this.#start += bytes;
  }

  /** Moves as much of the backlog as there is and fits, at most `limit` bytes, into the room. Gives how much. */
  moveInto(room: Uint8Array, limit: number): number {
    const bytes = Math.min(room.length, limit, this.#end - this.#start);
    this.#scratch.copy(room, 0, this.#start, this.#start + bytes);
    this.#start += bytes;
    return bytes;
  }

  /** All that comes from now on is this reader's. */
  handTo(reader: ConnectionReader): void {
    this.#reader = reader;
  }

  /** Writes now, or once it is known who is at the other end: a request may hold a password. */
  write(text: string): void {
    if (this.#connected) this.#socket.write(text, 'latin1');
    else this.#unsent += text;
  }

  /**
   * Reads on: straight into `room` as soon as that is possible, otherwise into the backlog. Without a room always
   * there.
   */
  read(room: Uint8Array | undefined): void {
    this.#room = room;
    if (this.#reading || this.#over !== undefined) return;
    this.#reading = true;
    this.#socket.resume();
  }

  /**
   * Reads no more, so that the server has to wait. To be called while a reader is being called. What TLS has already
   * decrypted still arrives in the backlog.
   */
  pause(): void {
    this.#room = undefined;
    this.#reading = false;
  }

  /** Nobody uses it: `onTimeout` is called after so many milliseconds, and it does not keep the process alive. */
  idleFor(ms: number, onTimeout: () => void): void {
    this.read(undefined);
    this.#socket.setTimeout(ms, onTimeout);
    this.#socket.unref();
  }

  /** It is used again. */
  stopIdling(): void {
    this.#socket.setTimeout(0);
    this.#socket.removeAllListeners('timeout');
    this.#socket.ref();
  }

  /** Frees everything at once. The reader hears of it only if it is given a cause. */
  destroy(cause?: Error): void {
    this.#room = undefined;
    if (cause === undefined) {
      this.#over ??= { cause };
      this.#start = this.#end;
    } else this.#finish({ cause });
    this.#socket.destroy();
  }

  /** Calls `listener` when the socket is gone. */
  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  #finish(over: ConnectionEnd): void {
    if (this.#over !== undefined) return;
    this.#over = over;
    this.#room = undefined;
    this.#reader.ended();
  }

  /** Node has read into the buffer it was given last. Gives whether it shall read on. */
  #read(bytes: number): boolean {
    const straight = this.#given !== undefined;
    if (!straight) this.#end += bytes;
    if (this.#over !== undefined) return false;
    if (straight) this.#reader.filled(bytes);
    else this.#reader.arrived();
    return this.#reading;
  }

  #nextBuffer(): Uint8Array {
    this.#given = this.#room;
    return this.#room ?? this.#restOfScratch();
  }

  /** The socket is gone, so that nothing is written to the scratch any more; what is left in it may still be taken. */
  #spareScratch(): void {
    const isEmpty = this.#start === this.#end;
    if (!isEmpty || this.#scratch.length !== SCRATCH || spareScratches.length >= MAX_SPARE) return;
    spareScratches.push(this.#scratch);
    this.#scratch = NO_SCRATCH;
    this.#start = 0;
    this.#end = 0;
  }

  /** Never empty: node takes an empty buffer for an error. */
  #restOfScratch(): Uint8Array {
    this.#scratch.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    // TLS hands over all it has decrypted, paused or not. So far that fits, but node promises no bound.
    if (this.#end === this.#scratch.length) this.#scratch = Buffer.concat([this.#scratch], 2 * this.#end);
    return this.#scratch.subarray(this.#end);
  }
}

function connect(url: URL, memory: TlsSessionStore, onread: OnReadOpts): Socket {
  // An IPv6 address stands in brackets in a URL only.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const socket = secure ? connectTls(host, port, memory, onread) : net.connect({ host, port, onread });
  socket.once('connect', () => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_DELAY);
  });
  return socket;
}

function connectTls(
  host: string,
  port: number,
  { session, remember }: TlsSessionStore,
  onread: OnReadOpts,
): Socket {
  const options: tls.ConnectionOptions & { readonly onread: OnReadOpts } = {
    host,
    port,
    onread,
    ALPNProtocols: ['http/1.1'],
    // A name only: an address is no server name (RFC 6066 §3).
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(session !== undefined && { session }),
  };
  return tls.connect(options).on('session', remember);
}
