import { describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/connections/service.ts';
import {
  ACTION_ROWS,
  PAGES,
  type Row,
  type RowCondition,
  rowsOf,
  type SettingsGroup,
} from '../../src/settings/index.ts';
import { ACTIONS } from '../../src/setup/action.ts';

const ROWS: readonly Row[] = rowsOf(PAGES);
const SERVICES: Readonly<Record<ServiceId, true>> = {
  newznab: true,
  hydra: true,
  prowlarr: true,
  stremio: true,
  tmdb: true,
  webdav: true,
  nzbget: true,
  altmount: true,
  streamnzb: true,
};

describe('the pages of the settings', () => {
  test('have an id each, as all rows have, and say what they are', () => {
    const ids = [...PAGES, ...ROWS].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]*$/);
    for (const { label, help } of ROWS) {
      expect(label).toMatch(/^[A-Z0-9a-z].*[^.]$/);
      expect(help).toMatch(/^[A-Z].*[.]$/);
    }
  });

  test('ask for what is there before the row that it decides about', () => {
    const conditions: [RowCondition, number][] = PAGES.flatMap(({ groups }) =>
      groups.flatMap((group: SettingsGroup) =>
        group.rows.flatMap((row: Row) => {
          const at = ROWS.findIndex(({ id }) => id === row.id);
          return [group.shownWhen, row.shownWhen]
            .filter((each) => each !== undefined)
            .map((each): [RowCondition, number] => [each, at]);
        }),
      ),
    );
    expect(conditions.length).toBeGreaterThan(20);
    for (const [{ setting, is }, at] of conditions) {
      const about = ROWS.slice(0, at).find(({ id }) => id === setting);
      if (typeof is === 'object') expect(about?.type).toBe('text');
      else if (typeof is === 'boolean') expect(about?.type).toBe('boolean');
      else expect(about?.type === 'choice' && about.options.map(({ value }) => value)).toContain(is);
    }
  });

  test('are all there for everybody but the last: the dialog is opened at a page by its number', () => {
    for (const { id, groups } of PAGES.slice(0, -1)) {
      const shown = groups.flatMap((group: SettingsGroup) =>
        group.shownWhen === undefined ? group.rows : [],
      );
      const always = shown.filter(
        ({ level = 'basic', shownWhen }) => level === 'basic' && shownWhen === undefined,
      );
      expect(always, id).not.toEqual([]);
    }
  });

  test('have a button for every action, and for the test of every service', () => {
    const actions = ACTION_ROWS.map(({ action }) => action);
    expect([...new Set([...actions, 'settings'])].sort()).toEqual([...ACTIONS].sort());
    const tested = ACTION_ROWS.filter(({ action }) => action === 'test').map(({ service }) => service);
    expect(tested.sort()).toEqual(Object.keys(SERVICES).sort());
    for (const { action, service } of ACTION_ROWS) expect(service !== undefined).toBe(action === 'test');
  });
});
