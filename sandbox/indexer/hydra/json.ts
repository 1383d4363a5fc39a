import { type Answer, json } from '../../http/types.ts';
import type { Row } from './rows.ts';

/** With `o=json`: no value is a number. */
export function listJson(page: { offset: number; total: number }, rows: readonly Row[]): Answer {
  return answer({
    channel: {
      title: 'NZBHydra 2',
      link: 'https://www.github.com/theotherp/nzbhydra2',
      webMaster: 'hydra@sandbox.invalid',
      category: {},
      response: attributes({ offset: page.offset, total: page.total }),
      item: rows.map(itemJson),
      generator: 'NZBHydra2',
    },
  });
}

export function errorJson(code: number, description: string): Answer {
  return answer({ searchType: null, code: String(code), description, contentHeader: 'application/xml' });
}

function itemJson({ size, attributes: facts, ...row }: Row): unknown {
  return {
    ...row,
    enclosure: attributes({ url: row.link, length: size, type: 'application/x-nzb' }),
    attr: facts.map(([name, value]) => attributes({ name, value })),
    id: row.guid,
  };
}

const attributes = (values: Readonly<Record<string, string | number>>) => ({
  '@attributes': Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
});

const answer = (value: unknown): Answer => ({
  ...json(200, value),
  headers: { 'content-type': 'application/json;charset=UTF-8' },
});
