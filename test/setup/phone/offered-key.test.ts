import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../support/http-server.ts';
import { prowlarrGiving } from '../../support/prowlarr-start.ts';
import { phoneStage } from './stage.ts';

const KEY = 'given-0123456789abcdef';
const giving = () => serve(prowlarrGiving(KEY));

describe('a key that Prowlarr gives without a login', () => {
  it('is told of and taken, and does not come to the phone', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const body = { service: 'prowlarr', values: { prowlarr_url: await giving(), indexer_name: 'Other' } };
    const told = await stage.send('/api/key', body);
    expect(told.json()).toEqual({ isGiven: true });
    expect(stage.host.settings).toEqual({});
    const taken = await stage.send('/api/key/take', body);
    expect(taken.json()).toEqual({});
    // The rest of the page is saved when the person says so.
    expect(stage.host.settings).toEqual({ prowlarr_url: body.values.prowlarr_url, prowlarr_api_key: KEY });
    const all = await stage.send('/api/settings');
    expect(`${told.text}${taken.text}${all.text}${stage.log.join()}`).not.toContain(KEY);
  });

  it('is not asked for where there is one already, and does not take its place', async () => {
    const settings = { prowlarr_url: await giving(), prowlarr_api_key: 'entered' };
    const stage = await phoneStage({ settings });
    await stage.pair();
    const body = { service: 'prowlarr', values: {} };
    expect((await stage.send('/api/key', body)).json()).toEqual({ isGiven: false });
    expect((await stage.send('/api/key/take', body)).status).toBe(502);
    expect(stage.host.settings).toEqual(settings);
  });

  it('is none of a service that gives none, or is not on the page', async () => {
    const stage = await phoneStage();
    await stage.pair();
    for (const service of ['hydra', 'made-up']) {
      const body = { service, values: { hydra_url: await giving() } };
      expect((await stage.send('/api/key', body)).json()).toEqual({ isGiven: false });
      expect((await stage.send('/api/key/take', body)).status).toBe(502);
    }
    expect(stage.host.settings).toEqual({});
  });

  it('is given to no phone that is not connected', async () => {
    const stage = await phoneStage();
    const body = { service: 'prowlarr', values: { prowlarr_url: await giving() } };
    for (const path of ['/api/key', '/api/key/take']) expect((await stage.send(path, body)).status).toBe(401);
    expect(stage.host.settings).toEqual({});
  });
});

interface State {
  load(told: { services: readonly object[]; settings: readonly object[] }): void;
  enter(id: string, value: unknown): void;
  enteredValues(): Record<string, unknown>;
  isFilled(id: string): boolean;
}
interface Page {
  isOffered(service: object): Promise<boolean>;
  take(service: object): Promise<void>;
}
const partOf = async <T>(name: string): Promise<T> =>
  (await import(`../../../src/setup/phone/page/${name}.mjs`)) as T;
const state = await partOf<State>('state');
const { isOffered, take } = await partOf<Page>('given-key');

describe('the page', () => {
  const PROWLARR = {
    id: 'prowlarr',
    fields: [{ setting: 'prowlarr_url' }, { setting: 'prowlarr_api_key' }],
    givenKey: { setting: 'prowlarr_api_key' },
  };
  const sent: string[] = [];
  beforeEach(() => {
    sent.length = 0;
    const settings = [
      { id: 'prowlarr_url', type: 'text', value: '' },
      { id: 'prowlarr_api_key', type: 'text', isSet: false },
    ];
    state.load({ services: [], settings });
    vi.stubGlobal('sessionStorage', { getItem: () => null });
    vi.stubGlobal('fetch', (path: string) => {
      sent.push(path);
      return Promise.resolve(Response.json({ isGiven: true }));
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('asks for it where there is an address and no key', async () => {
    expect(await isOffered(PROWLARR)).toBe(false);
    state.enter('prowlarr_url', 'http://10.0.0.2:9696');
    expect(await isOffered({ ...PROWLARR, givenKey: undefined })).toBe(false);
    expect(sent).toEqual([]);
    expect(await isOffered(PROWLARR)).toBe(true);
    const offered = isOffered(PROWLARR);
    state.enter('prowlarr_api_key', 'typed meanwhile');
    expect(await offered).toBe(false);
    sent.length = 0;
    expect(await isOffered(PROWLARR)).toBe(false);
    expect(sent).toEqual([]);
  });

  it('knows of it as stored when it was taken, and nothing is left to be saved', async () => {
    state.enter('prowlarr_url', 'http://10.0.0.2:9696');
    await take(PROWLARR);
    expect(sent).toEqual(['/api/key/take']);
    expect(state.isFilled('prowlarr_api_key')).toBe(true);
    expect(state.enteredValues()).toEqual({});
  });
});
