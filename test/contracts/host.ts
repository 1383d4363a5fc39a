import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CancelledError, type Explanation } from '../../src/errors/index.ts';
import type {
  ChoiceQuestion,
  CodeCard,
  Host,
  PickerRow,
  PickerView,
  PlayItem,
  YesNoQuestion,
} from '../../src/host/port.ts';

/** A host under test, with the person in front of it and what that person sees. */
export interface HostUnderTest {
  readonly host: Host;
  /** Chooses a row of the list that is open, or of the question, by its id. */
  choose(id: string): Promise<void>;
  /** Goes back from the list, the question or the card that is open. */
  back(): Promise<void>;
  /** Writes a line where a text is asked for, in the place of what stands there. */
  write(text: string): Promise<void>;
  /** Answers a question that has two answers. */
  confirm(yes: boolean): Promise<void>;
  /** Goes on from a page that is shown. */
  goOn(): Promise<void>;
  /** All text that the question or the card shows, or the display so far. */
  shown(): string;
  /** Says where to begin a film that was left. */
  begin(where: 'resume' | 'start'): Promise<void>;
  /** Names of the rows of the list as it was shown last. */
  listed(): string[];
  /** Cancels in the open progress display. */
  cancel(): Promise<void>;
  /** The host itself wants us gone. */
  abort(): void;
  /** URLs that were handed to the player, or resolved; undefined where "nothing" was resolved. */
  handedOver(): (string | undefined)[];
  /** The texts shown as notifications. */
  notified(): string[];
  /** Lists, questions and progress displays that are open. */
  open(): number;
}

const row = (id: string, more: Partial<PickerRow> = {}): PickerRow => ({
  id,
  name: `Sintel.2010.1080p.BluRay.x264-${id}`,
  badges: [{ kind: 'resolution', text: '1080p' }],
  size: '2.1 GB',
  bitrate: '19 Mbit/s',
  age: '3 d',
  indexer: 'Example',
  group: 'OPEN',
  languages: 'EN',
  downloaded: false,
  pack: false,
  rejections: [],
  details: [],
  ...more,
});

const view = (...rows: readonly PickerRow[]): PickerView => ({
  title: 'Sintel (2010)',
  summary: 'Some pass your filters',
  order: 'Resolution, then size',
  status: '',
  searching: false,
  rows,
});

const ITEM: PlayItem = {
  stream: { url: 'http://127.0.0.1:1/stream/x/Sintel.mkv', mime: 'video/x-matroska', size: 10 },
  title: 'Sintel (2010)',
};

const MESSAGE: Explanation = { what: 'nzbdav cannot be reached.', next: 'Check that it is running.' };

const CHOICE: ChoiceQuestion = {
  title: 'Which service?',
  rows: [
    { id: 'a', label: 'Example' },
    { id: 'b', label: 'Another', detail: 'A line below it' },
  ],
};
const YES_NO: YesNoQuestion = { title: 'A test', text: 'Does it play?', yes: 'It plays', no: 'It does not' };
const CARD: CodeCard = {
  title: 'Set up by phone',
  address: 'http://192.168.1.5:4321/go',
  code: '4711',
  text: 'Scan the code.',
  status: 'Waiting for your phone',
};
const QUESTIONS: readonly (readonly [string, (host: Host, signal: AbortSignal) => Promise<unknown>])[] = [
  ['a text', ({ questions }, signal) => questions.text({ title: 'A title' }, signal)],
  ['a row', ({ questions }, signal) => questions.choose(CHOICE, signal)],
  ['yes or no', ({ questions }, signal) => questions.confirm(YES_NO, signal)],
  ['going on', ({ questions }, signal) => questions.show({ title: 'A report', text: 'All is well' }, signal)],
];

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

  test('gives the id of the chosen row and closes the list', async () => {
    const under = await setUp({});
    const picker = await under.host.openPicker(view(row('a'), row('b')), live());
    expect(under.open()).toBe(1);
    await under.choose('b');
    expect(await picker.chosen).toBe('b');
    expect(under.open()).toBe(0);
  });

  test('shows what passed, and everything when nothing did', async () => {
    const under = await setUp({});
    const rejected = row('r', { rejections: ['too large'] });
    const picker = await under.host.openPicker(view(row('a'), rejected), live());
    expect(under.listed()).toEqual([row('a').name]);
    await picker.update(view(rejected));
    await expect.poll(() => under.listed()).toEqual([rejected.name]);
    await under.choose('r');
    expect(await picker.chosen).toBe('r');
  });

  test('an open list changes, and what came later can be chosen', async () => {
    const under = await setUp({});
    const picker = await under.host.openPicker({ ...view(), searching: true }, live());
    await picker.update({ ...view(row('b')), searching: true });
    await picker.update(view(row('a'), row('b'), row('c')));
    await expect.poll(() => under.listed()).toEqual(['a', 'b', 'c'].map((id) => row(id).name));
    await under.choose('a');
    expect(await picker.chosen).toBe('a');
    expect(under.open()).toBe(0);
  });

  test('gives undefined when the person goes back', async () => {
    const under = await setUp({});
    const picker = await under.host.openPicker(view(row('a')), live());
    await under.back();
    expect(await picker.chosen).toBeUndefined();
    expect(under.open()).toBe(0);
  });

  test('a list that is closed gives undefined, and an update after that does nothing', async () => {
    const under = await setUp({});
    const picker = await under.host.openPicker(view(row('a')), live());
    await picker.close();
    expect(await picker.chosen).toBeUndefined();
    expect(under.open()).toBe(0);
    const before = under.listed();
    await picker.update(view(row('late')));
    await picker.close();
    expect(under.listed()).toEqual(before);
    expect(under.open()).toBe(0);
  });

  test('an abort closes the list and rejects with its reason', async () => {
    const under = await setUp({});
    const controller = new AbortController();
    const picker = await under.host.openPicker(view(row('a')), controller.signal);
    const reason = new CancelledError('shutdown');
    controller.abort(reason);
    await expect(picker.chosen).rejects.toBe(reason);
    expect(under.open()).toBe(0);
    await expect(under.host.openPicker(view(row('a')), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(under.open()).toBe(0);
  });

  test('asks for a line of text', async () => {
    const under = await setUp({});
    const answer = under.host.questions.text({ title: 'A title' }, live());
    await under.write('  Sintel 2010 ');
    expect(await answer).toBe('Sintel 2010');
    const nothing = under.host.questions.text({ title: 'A title' }, live());
    await under.write('');
    expect(await nothing).toBeUndefined();
    const back = under.host.questions.text({ title: 'A title' }, live());
    await under.back();
    expect(await back).toBeUndefined();
    expect(under.open()).toBe(0);
  });

  test('tells a text that was emptied from one that was left', async () => {
    const under = await setUp({});
    const question = { title: 'Address', value: 'http://nas:8080' };
    const emptied = under.host.questions.text(question, live());
    await under.write('');
    expect(await emptied).toBe('');
    const back = under.host.questions.text(question, live());
    await under.back();
    expect(await back).toBeUndefined();
    const other = under.host.questions.text(question, live());
    await under.write('http://nas:9090');
    expect(await other).toBe('http://nas:9090');
  });

  test('asks for one of some rows', async () => {
    const under = await setUp({});
    const answer = under.host.questions.choose(CHOICE, live());
    await under.choose('b');
    expect(await answer).toBe('b');
    const back = under.host.questions.choose({ ...CHOICE, focused: 'b' }, live());
    await expect.poll(() => under.shown()).toContain('A line below it');
    await under.back();
    expect(await back).toBeUndefined();
    expect(under.open()).toBe(0);
  });

  test('asks a question of two answers', async () => {
    const under = await setUp({});
    for (const yes of [true, false]) {
      const answer = under.host.questions.confirm(YES_NO, live());
      await expect.poll(() => under.shown()).toContain(YES_NO.text);
      await under.confirm(yes);
      expect(await answer).toBe(yes);
    }
    const back = under.host.questions.confirm(YES_NO, live());
    await under.back();
    expect(await back).toBeUndefined();
    expect(under.open()).toBe(0);
  });

  test('shows a text until the person goes on', async () => {
    const under = await setUp({});
    const shown = under.host.questions.show({ title: 'A report', text: 'First line\nSecond line' }, live());
    await expect.poll(() => under.shown()).toContain('First line\nSecond line');
    await under.goOn();
    await shown;
    const again = under.host.questions.show({ title: 'A report', text: 'First line' }, live());
    await under.back();
    await again;
    expect(under.open()).toBe(0);
  });

  test.each(QUESTIONS)('an abort ends a question for %s with its reason', async (_, ask) => {
    const under = await setUp({});
    const controller = new AbortController();
    const reason = new CancelledError('shutdown');
    const answer = ask(under.host, controller.signal);
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect(ask(under.host, controller.signal)).rejects.toBe(reason);
    await expect.poll(() => under.open()).toBe(0);
  });

  test('shows a code until the person goes back, or it is closed', async () => {
    const under = await setUp({});
    const card = await under.host.openCodeCard(CARD, live());
    for (const text of [CARD.title, CARD.address, CARD.code, CARD.text, CARD.status])
      await expect.poll(() => under.shown()).toContain(text);
    await card.update({ ...CARD, status: 'Your phone is here' });
    await expect.poll(() => under.shown()).toContain('Your phone is here');
    expect(under.open()).toBe(1);
    await under.back();
    await card.closed;
    expect(under.open()).toBe(0);
    await card.update(CARD);
    await card.close();

    const other = await under.host.openCodeCard(CARD, live());
    await other.close();
    await other.closed;
    expect(under.open()).toBe(0);
  });

  test('an abort ends the code with its reason', async () => {
    const under = await setUp({});
    const controller = new AbortController();
    const reason = new CancelledError('shutdown');
    const card = await under.host.openCodeCard(CARD, controller.signal);
    controller.abort(reason);
    await expect(card.closed).rejects.toBe(reason);
    await card.close();
    await expect.poll(() => under.open()).toBe(0);
    await expect(under.host.openCodeCard(CARD, controller.signal)).rejects.toBe(reason);
    expect(under.open()).toBe(0);
  });

  test('stores settings, and leaves the others as they are', async () => {
    const { host } = await setUp({ indexer_url: 'http://127.0.0.1:1', max_size_mb: '100' });
    await host.writeSettings({ max_size_mb: '200', direct_url: 'http://127.0.0.1:2' });
    expect(await host.readSettings(['indexer_url', 'max_size_mb', 'direct_url'])).toEqual({
      indexer_url: 'http://127.0.0.1:1',
      max_size_mb: '200',
      direct_url: 'http://127.0.0.1:2',
    });
    await host.writeSettings({});
    await host.openSettings('sources');
    await host.openSettings();
  });

  test('knows other add-ons and where their data is, where there are any', async () => {
    const { host } = await setUp({});
    expect(await host.addons?.isInstalled('plugin.video.absent')).not.toBe(true);
    expect(host.addons?.dataFolder('plugin.video.example') ?? 'plugin.video.example').toMatch(
      /plugin\.video\.example$/,
    );
  });

  test('asks where to begin a film that was left', async () => {
    const under = await setUp({});
    for (const where of ['resume', 'start'] as const) {
      const answer = under.host.askResume({ position: 754, isExact: true }, live());
      await under.begin(where);
      expect(await answer).toBe(where);
    }
    const back = under.host.askResume({ position: 754, isExact: true }, live());
    await under.back();
    expect(await back).toBeUndefined();
    expect(under.open()).toBe(0);

    const controller = new AbortController();
    const reason = new CancelledError('shutdown');
    const aborted = under.host.askResume({ position: 754, isExact: true }, controller.signal);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await expect(under.host.askResume({ position: 754, isExact: true }, controller.signal)).rejects.toBe(
      reason,
    );
    await expect.poll(() => under.open()).toBe(0);
  });

  test('takes a film for the choice of the person where no playlist plays', async () => {
    const { host } = await setUp({});
    expect(await host.startedBy()).toBe('person');
    expect([await host.takeReplayRequest(), await host.deferToBrokenFilm()]).toEqual([undefined, false]);
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

  test('lists a folder and reads from a file, and tells an empty one from one that is not there', async () => {
    const { host } = await setUp({});
    const folder = await filmFolder();
    const entries = await host.files.list(folder, live());
    expect([...entries!].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'Sintel.mkv', isFolder: false, size: FILM_SIZE },
      { name: 'Subs', isFolder: true },
    ]);
    expect(await host.files.list(join(folder, 'Subs'), live())).toEqual([]);
    expect(await host.files.list(join(folder, 'absent'), live())).toBeUndefined();

    const film = join(folder, 'Sintel.mkv');
    const read = (from: number, length: number) => host.files.read(film, { from, length }, live());
    expect(text(await read(3, 4))).toBe('3456');
    expect(text(await read(FILM_SIZE - 2, 100))).toBe('\0\0');
    expect(text(await read(FILM_SIZE + 5, 100))).toBe('');
    // More than one answer of a media centre may hold.
    expect((await read(1, FILM_SIZE))?.byteLength).toBe(FILM_SIZE - 1);
    const absent = await host.files.read(join(folder, 'absent.mkv'), { from: 0, length: 4 }, live());
    expect(absent).toBeUndefined();
  });

  test('an abort ends the use of a file with its reason', async () => {
    const { host } = await setUp({});
    const reason = new CancelledError('person');
    const signal = AbortSignal.abort(reason);
    await expect(host.files.list(tmpdir(), signal)).rejects.toBe(reason);
    await expect(host.files.read(tmpdir(), { from: 0, length: 1 }, signal)).rejects.toBe(reason);
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
    const third = await setUp({});
    await third.host.resolve(undefined, { endPlaylist: true });
    expect(third.handedOver()).toEqual([undefined]);
  });
}

/** Bytes of the film, which begins with the digits and goes on with zeros. */
const FILM_SIZE = 2_500_000;

async function filmFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'Subs'));
  await writeFile(join(folder, 'Sintel.mkv'), '0123456789');
  await truncate(join(folder, 'Sintel.mkv'), FILM_SIZE);
  return folder;
}

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('latin1');
