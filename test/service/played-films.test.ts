import { describe, expect, test } from 'vitest';
import { MAX_PLAYED, MAX_TEXT, openPlayedFilms } from '../../src/service/played-films.ts';
import { recordingHost } from '../support/recording-host.ts';

const PROPERTY = 'slipstream.played';
const FOLDER = '/userdata/addon_data/ours/';
const ID = '0123456789abcdef0123456789abcdef';
const FILM = { origin: 'plugin://plugin.video.slipstream/play?title=Sintel', mark: 'mark' };

function setUp() {
  const { properties, propertyValues } = recordingHost();
  return { propertyValues, open: (dataFolder = FOLDER) => openPlayedFilms({ properties, dataFolder }) };
}

describe('what was played', () => {
  test('is known to the services that follow', async () => {
    const { open } = setUp();
    const first = await open();
    await first.add(ID, { ...FILM, item: { label: 'Sintel' } });
    expect(first.of(ID)).toEqual(FILM);
    expect((await open()).of(ID)).toEqual(FILM);
    expect((await open()).of('0'.repeat(32))).toBeUndefined();
  });

  test('tells nobody an address, nor more of a film than starts it', async () => {
    const { propertyValues, open } = setUp();
    await (await open()).add(ID, { ...FILM, item: { url: 'https://key@example.org/' } });
    const text = propertyValues.get(PROPERTY)!;
    expect(text).toContain(FILM.origin);
    expect(text).not.toContain(ID);
    expect(text).not.toContain('example.org');
  });

  test('is not kept of a bare address', async () => {
    const { propertyValues, open } = setUp();
    await (await open()).add(ID, { origin: '', mark: '' });
    expect(propertyValues.size).toBe(0);
  });

  test('is forgotten in another profile, and gone when it is back', async () => {
    const { propertyValues, open } = setUp();
    await (await open()).add(ID, FILM);
    expect((await open('/userdata/profiles/Second/ours/')).of(ID)).toBeUndefined();
    expect(propertyValues.size).toBe(0);
    expect((await open()).of(ID)).toBeUndefined();
  });

  test('is bounded in number and in size, the newest stay', async () => {
    const { propertyValues, open } = setUp();
    const played = await open();
    const idOf = (index: number) => index.toString(16).padStart(32, '0');
    for (let index = 0; index <= MAX_PLAYED; index++) await played.add(idOf(index), FILM);
    expect([0, 1, MAX_PLAYED].map((index) => played.of(idOf(index)) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    const large = { ...FILM, origin: `${FILM.origin}&plot=${'x'.repeat(MAX_TEXT / 3)}` };
    for (let index = 0; index < 4; index++) await played.add(idOf(1000 + index), large);
    expect(propertyValues.get(PROPERTY)!.length).toBeLessThanOrEqual(MAX_TEXT);
    expect([1001, 1002, 1003].map((index) => played.of(idOf(index)) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    await played.add(ID, { ...FILM, origin: 'x'.repeat(MAX_TEXT) });
    expect(propertyValues.get(PROPERTY)).toBe('');
  });

  test.each([
    'x',
    '{}',
    '{"version":2}',
    '{"version":1,"data":"/userdata/addon_data/ours/","films":[["a"]]}',
  ])('is nothing where anything else stands in its place: %s', async (text) => {
    const { propertyValues, open } = setUp();
    propertyValues.set(PROPERTY, text);
    const played = await open();
    expect([played.of(ID), propertyValues.has(PROPERTY)]).toEqual([undefined, false]);
  });
});
