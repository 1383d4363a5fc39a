import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// The parts of the page that need no browser.

interface State {
  load(told: { services: readonly object[]; settings: readonly object[]; indexers: readonly object[] }): void;
  enter(id: string, value: unknown): void;
  enteredValues(): Record<string, unknown>;
  saved(values: Record<string, unknown>): void;
  valueOf(id: string): unknown;
  isFilled(id: string): boolean;
}
interface Api {
  send(path: string, body: object): Promise<unknown>;
  sendForLines(path: string, body: object, onLine: (line: unknown) => void): Promise<void>;
}
const partOf = async <T>(name: string): Promise<T> =>
  (await import(`../../../src/setup/phone/page/${name}.mjs`)) as T;

const state = await partOf<State>('state');

describe('what is entered', () => {
  beforeEach(() => {
    const settings = [
      { id: 'indexer_name', type: 'text', value: 'Before' },
      { id: 'indexer_api_key', type: 'text', isSet: false },
    ];
    state.load({ services: [], settings, indexers: [] });
  });

  it('is saved with the rest, and no change any more', () => {
    state.enter('indexer_name', 'Example');
    state.enter('indexer_api_key', 'key');
    state.saved(state.enteredValues());
    expect(state.enteredValues()).toEqual({});
    expect(state.valueOf('indexer_name')).toBe('Example');
    expect(state.isFilled('indexer_api_key')).toBe(true);
  });

  it('while the rest is being saved, is still to be saved', () => {
    state.enter('indexer_name', 'Exam');
    const sent = state.enteredValues();
    state.enter('indexer_name', 'Example');
    state.enter('indexer_api_key', 'key');
    state.saved(sent);
    expect(state.enteredValues()).toEqual({ indexer_name: 'Example', indexer_api_key: 'key' });
  });
});

const { send, sendForLines } = await partOf<Api>('api');
beforeEach(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a request that does not get through', () => {
  const lost = () => Promise.reject(new TypeError('network error'));
  it.each([
    ['is to be tried again while the TV is there', 'MISSED', () => Promise.resolve(new Response())],
    ['tells of the end when it is not', 'ENDED', lost],
  ])('%s', async (_name, code, look) => {
    vi.stubGlobal('fetch', (_path: string, { method }: RequestInit) => (method === 'HEAD' ? look() : lost()));
    await expect(send('/api/done', {})).rejects.toMatchObject({ told: { code } });
  });
});

describe('an answer of lines', () => {
  it('that is broken off ends with the lines that came', async () => {
    const parts = ['{"label":"Prow', 'larr"}\n{"la'];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const part = parts.shift();
        if (part === undefined) controller.error(new TypeError('network error'));
        else controller.enqueue(new TextEncoder().encode(part));
      },
    });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
    const lines: unknown[] = [];
    await sendForLines('/api/discover', {}, (line) => lines.push(line));
    expect(lines).toEqual([{ label: 'Prowlarr' }]);
  });
});
