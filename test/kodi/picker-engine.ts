// An engine that shows what the test says, by the real src/host/kodi: bundled in the place of the real one, so that the
// list is tried without a search. The plugin call names the test's port; both talk in lines of JSON.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { createPeer, kodiHost, kodiServiceHost, receiveStart } from '../../src/host/kodi/index.ts';
import type { Host, Picker, PickerView } from '../../src/host/port.ts';
import { stderrLogger } from '../../src/log/index.ts';

export type Order =
  | { readonly view: PickerView }
  | { readonly ask: string }
  | { readonly close: true }
  | { readonly abort: true };

const log = stderrLogger();
const peer = createPeer(process.stdin, process.stdout, log);

async function main(): Promise<void> {
  const start = await receiveStart(peer);
  if (start.entry !== 'service') {
    await obey(Number(new URLSearchParams(start.argv[2]).get('port')), kodiHost(peer, start, log));
    return;
  }
  kodiServiceHost(peer, start, log).aborted.addEventListener('abort', () => {
    peer.close();
  });
}

async function obey(port: number, host: Host): Promise<void> {
  const test = connect(port, '127.0.0.1');
  const ended = new AbortController();
  const signal = AbortSignal.any([host.aborted, ended.signal]);
  const tell = (words: object) => test.write(`${JSON.stringify(words)}\n`);
  const tellOutcome = (promise: Promise<string | undefined>) => {
    promise.then(
      (chosen) => tell({ chosen: chosen ?? null }),
      () => tell({ aborted: true }),
    );
  };
  host.aborted.addEventListener('abort', () => test.destroy());
  let picker: Promise<Picker> | undefined;
  for await (const line of createInterface({ input: test })) {
    const order = JSON.parse(line) as Order;
    if ('ask' in order) tellOutcome(host.questions.text({ title: order.ask }, signal));
    else if ('abort' in order) ended.abort(new Error('the test wants it'));
    else if ('close' in order) await (await picker)?.close();
    else if (picker === undefined) {
      picker = host.openPicker(order.view, signal);
      tellOutcome((await picker).chosen);
      tell({ shown: true });
    } else {
      await (await picker).update(order.view);
      tell({ shown: true });
    }
  }
  await host.resolve(undefined).catch(() => undefined);
  peer.close();
}

main().catch((error: unknown) => {
  log.error('the engine of the test failed', error);
  process.exitCode = 1;
});
