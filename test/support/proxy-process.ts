/**
 * A proxy on the listening socket that was inherited as descriptor 3. Reads a snapshot as the first line of stdin,
 * writes process id, port and token as the first line of stdout, and each later snapshot as a further one.
 */
import { createInterface } from 'node:readline';
import { asSlipstreamError } from '../../src/errors/index.ts';
import { stderrLogger } from '../../src/log/index.ts';
import { startProxy } from '../../src/stream-proxy.ts';

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

createInterface({ input: process.stdin }).once('line', (line) => {
  let started = false;
  startProxy({
    listen: { fd: 3 },
    log: { ...stderrLogger(), info: () => undefined },
    snapshot: JSON.parse(line) as unknown,
    onSnapshot: (snapshot) => started && say(snapshot),
  }).then(
    ({ port, token }) => {
      started = true;
      say({ pid: process.pid, port, token });
    },
    (error: unknown) => {
      say({ code: asSlipstreamError(error).code });
      process.exit();
    },
  );
});
