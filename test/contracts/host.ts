import { expect, test } from 'vitest';
import { CancelledError, type Explanation } from '../../src/errors/index.ts';
import type { Host, PickList, PlayItem } from '../../src/host/port.ts';

/** A host under test, with the person in front of it and what that person sees. */
export interface HostUnderTest {
  readonly host: Host;
  /** Chooses a row of the list that is open. */
  choose(index: number): Promise<void>;
  /** Goes back from the list that is open. */
  back(): Promise<void>;
  /** Cancels in the open progress display. */
  cancel(): Promise<void>;
  /** The host itself wants us gone. */
  abort(): void;
  /** URLs that were handed to the player, or resolved; undefined where "nothing" was resolved. */
  handedOver(): (string | undefined)[];
  /** The texts shown as notifications. */
  notified(): string[];
  /** Lists and progress displays that are open. */
  open(): number;
}

const LIST: PickList = {
  title: 'Sintel (2010)',
  subtitle: '2 of 3 releases pass your filters',
  rows: [
    { label: 'Sintel.2010.1080p.BluRay.x264-OPEN', badge: '1080p', facts: ['2.1 GB'], rejection: '' },
    { label: 'Sintel.2010.720p.WEB.x264-OPEN', badge: '720p', facts: [], rejection: '' },
  ],
};

const ITEM: PlayItem = {
  stream: { url: 'http://127.0.0.1:1/stream/x/Sintel.mkv', mime: 'video/x-matroska', size: 10 },
  title: 'Sintel (2010)',
};

const MESSAGE: Explanation = { what: 'nzbdav cannot be reached.', next: 'Check that it is running.' };

/** What every Host promises (src/host/port.ts). */
export function hostContract(
  setUp: (settings: Record<string, string>) => Promise<HostUnderTest> | HostUnderTest,
): void {
  const live = () => new AbortController().signal;

  test('gives the stored settings that were asked for, and leaves out what was never stored', async () => {
    const { host } = await setUp({ indexer_url: 'http://127.0.0.1:1', indexer_name: 'Example' });
    expect(await host.readSettings(['indexer_url', 'max_size_mb'])).toEqual({
      indexer_url: 'http://127.0.0.1:1',
    });
  });

  test('keeps properties, empty when absent', async () => {
    const { host } = await setUp({});
    expect(await host.properties.get('svc.active')).toBe('');
    await host.properties.set('svc.active', 'true');
    expect(await host.properties.get('svc.active')).toBe('true');
    await host.properties.clear('svc.active');
    expect(await host.properties.get('svc.active')).toBe('');
  });

  test('gives the index of the chosen row and closes the list', async () => {
    const under = await setUp({});
    const choice = under.host.pick(LIST, live());
    await under.choose(1);
    expect(await choice).toBe(1);
    expect(under.open()).toBe(0);
  });

  test('gives undefined when the person goes back', async () => {
    const under = await setUp({});
    const choice = under.host.pick(LIST, live());
    await under.back();
    expect(await choice).toBeUndefined();
    expect(under.open()).toBe(0);
  });

  test('an abort closes the list and rejects with its reason', async () => {
    const under = await setUp({});
    const controller = new AbortController();
    const choice = under.host.pick(LIST, controller.signal);
    const reason = new CancelledError('shutdown');
    controller.abort(reason);
    await expect(choice).rejects.toBe(reason);
    expect(under.open()).toBe(0);
    await expect(under.host.pick(LIST, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(under.open()).toBe(0);
  });

  test('the progress display tells when the person cancels, and closes', async () => {
    const under = await setUp({});
    const progress = await under.host.openProgress('Sintel (2010)');
    await progress.update({ stage: 'Searching Example' });
    await progress.update({ stage: 'Downloading', detail: 'Sintel.2010.1080p', percent: 40 });
    expect(progress.cancelled.aborted).toBe(false);
    await under.cancel();
    await expect.poll(() => progress.cancelled.aborted).toBe(true);
    expect(progress.cancelled.reason).toBeInstanceOf(CancelledError);
    expect((progress.cancelled.reason as CancelledError).by).toBe('person');
    await progress.close();
    await progress.close();
    expect(under.open()).toBe(0);
  });

  test('a host that ends aborts with a shutdown', async () => {
    const under = await setUp({});
    expect(under.host.aborted.aborted).toBe(false);
    under.abort();
    await expect.poll(() => under.host.aborted.aborted).toBe(true);
    expect(under.host.aborted.reason).toMatchObject({ by: 'shutdown' });
  });

  test('shows what failed and the next step', async () => {
    const under = await setUp({});
    await under.host.notify(MESSAGE);
    const shown = under.notified().join('\n');
    expect(shown).toContain(MESSAGE.what);
    expect(shown).toContain(MESSAGE.next);
  });

  test('hands a stream to the player', async () => {
    const under = await setUp({});
    await under.host.play(ITEM);
    expect(under.handedOver()).toEqual([ITEM.stream.url]);
  });

  test('answers a resolve with a stream or with nothing', async () => {
    const first = await setUp({});
    await first.host.resolve(ITEM);
    expect(first.handedOver()).toEqual([ITEM.stream.url]);
    const second = await setUp({});
    await second.host.resolve(undefined);
    expect(second.handedOver()).toEqual([undefined]);
  });
}
