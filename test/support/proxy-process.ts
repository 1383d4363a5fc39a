// A proxy in a process of its own. Reads where to listen, and a snapshot, as the first line of stdin;
// writes process id, port and token as the first line of stdout, and each later snapshot as a further one.
import { createInterface } from 'node:readline';
import { asSlipstreamError } from '../../src/errors/index.ts';
import { stderrLogger } from '../../src/log/index.ts';
import { type ProxyOptions, startProxy } from '../../src/stream-proxy.ts';

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

createInterface({ input: process.stdin }).once('line', (line) => {
  let started = false;
  startProxy({
    ...(JSON.parse(line) as Pick<ProxyOptions, 'listen' | 'snapshot'>),
    log: { ...stderrLogger(), info: () => undefined },
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
