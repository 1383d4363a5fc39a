import { describe, expect, it } from 'vitest';
import { xmlFault } from '../../tools/lib/well-formed.ts';

describe('well-formedness of XML', () => {
  it('passes a whole document', () => {
    expect(xmlFault('<?xml version="1.0"?><a b="c">d<e/></a>')).toBeUndefined();
  });

  it.each(['<a>', '<a></b>', '<a b=c/>', '<a b="1" b="2"/>', '<a>&nbsp;</a>', '', '<a/><b/>'])(
    'tells where %j is broken',
    (text) => {
      expect(xmlFault(text)).toMatch(/^\d+:\d+: /);
    },
  );
});
