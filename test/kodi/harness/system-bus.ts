// A stand-in for the system's D-Bus, on which nobody is but logind, and of logind nothing but its word that the machine
// goes to sleep or has woken up. Kodi does then what it does at a real sleep; no machine sleeps.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bind } from '../../../tools/debian-root/index.ts';
import { type Call, ERROR, FIELD, type Message, RETURN, readMessage, SIGNAL, writeMessage } from './dbus.ts';

/** Kodi takes a folder of this name for a sign of logind. */
const SEATS = '/run/systemd/seats';
const IDENTITY = '0123456789abcdef0123456789abcdef';

export class SystemBus {
  /** What Kodi needs to find it. */
  readonly binds: readonly Bind[];
  readonly env: Readonly<Record<string, string>>;
  private readonly folder: string;
  private readonly server: Server;
  private readonly clients = new Set<Client>();

  static async start(): Promise<SystemBus> {
    const folder = await mkdtemp(join(tmpdir(), 'slipstream-bus-'));
    const seats = join(folder, 'seats');
    await mkdir(seats);
    const bus = new SystemBus(folder, seats);
    bus.server.listen(join(folder, 'socket'));
    await once(bus.server, 'listening');
    return bus;
  }

  private constructor(folder: string, seats: string) {
    const socket = join(folder, 'socket');
    this.folder = folder;
    this.binds = [{ from: folder }, { from: seats, to: SEATS }];
    this.env = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
    this.server = createServer((connection) => {
      const client = new Client(connection);
      this.clients.add(client);
      connection.once('close', () => this.clients.delete(client));
    });
  }

  /** Tells those who listen that the machine is about to sleep, or has woken up. */
  prepareForSleep(sleeps: boolean): void {
    for (const client of this.clients)
      if (client.listens)
        client.send({
          type: SIGNAL,
          fields: {
            [FIELD.path]: '/org/freedesktop/login1',
            [FIELD.interface]: 'org.freedesktop.login1.Manager',
            [FIELD.member]: 'PrepareForSleep',
            [FIELD.sender]: 'org.freedesktop.login1',
          },
          body: sleeps,
        });
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** One connection: lines until it has said who it is, then messages. */
class Client {
  /** It wants to hear of what happens. */
  listens = false;
  private received = Buffer.alloc(0);
  private hasBegun = false;
  private lastSerial = 0;
  private readonly connection: Socket;

  constructor(connection: Socket) {
    this.connection = connection;
    connection.on('error', () => undefined);
    connection.on('data', (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
      while (this.hasBegun ? this.takeMessage() : this.takeLine());
    });
  }

  send(message: Omit<Message, 'serial'>): void {
    this.connection.write(writeMessage({ ...message, serial: ++this.lastSerial }));
  }

  close(): void {
    this.connection.destroy();
  }

  /** Whoever comes is let in; no file is handed over. */
  private takeLine(): boolean {
    const end = this.received.indexOf('\r\n');
    if (end < 0) return false;
    const line = this.received.toString('latin1', 0, end);
    this.received = this.received.subarray(end + 2);
    if (line === 'BEGIN') this.hasBegun = true;
    else this.connection.write(line.includes('AUTH EXTERNAL') ? `OK ${IDENTITY}\r\n` : 'ERROR\r\n');
    return true;
  }

  private takeMessage(): boolean {
    const message = readMessage(this.received);
    if (message === undefined) return false;
    this.received = this.received.subarray(message.length);
    if (message.call !== undefined) this.answer(message.call);
    return true;
  }

  private answer({ serial, member, wantsReply }: Call): void {
    if (member === 'AddMatch') this.listens = true;
    if (!wantsReply) return;
    const fields = { [FIELD.replySerial]: serial, [FIELD.sender]: 'org.freedesktop.DBus' };
    if (member === 'Hello') this.send({ type: RETURN, fields, body: ':1.1' });
    else if (member === 'AddMatch') this.send({ type: RETURN, fields });
    else
      this.send({
        type: ERROR,
        fields: { ...fields, [FIELD.errorName]: 'org.freedesktop.DBus.Error.ServiceUnknown' },
      });
  }
}
