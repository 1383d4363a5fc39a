import { expect, test } from 'vitest';
import { wrapLine } from '../../../src/host/terminal/wrap.ts';

test.each([
  ['fits', ['fits']],
  ['  kept  as it is', ['  kept  as it is']],
  ['one two three four five', ['one two three', 'four five']],
  ['  one two three four five', ['  one two three', '  four five']],
  ['12  one two three four', ['12  one two', '    three four']],
  [' 1  one two three four', [' 1  one two', '    three four']],
  ['see http://nas.example:9696/api there', ['see', 'http://nas.example:9696/api', 'there']],
  ['🔑🔑🔑 🔑🔑🔑 🔑🔑🔑 🔑🔑🔑🔑🔑', ['🔑🔑🔑 🔑🔑🔑 🔑🔑🔑', '🔑🔑🔑🔑🔑']],
  ['Run "slipstream setup --data f", now', ['Run', '"slipstream setup --data f",', 'now']],
  ['It says ("no such thing here")', ['It says ("no', 'such thing', 'here")']],
  ['A 7" disc: "slipstream test it"', ['A 7" disc:', '"slipstream test it"']],
  ['', ['']],
])('%j', (text, lines) => {
  expect(wrapLine(text, 16)).toEqual(lines);
});
