import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { withoutPlaces } from '../../src/connections/without-places.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { shellText } from '../../src/host/terminal/shell-text.ts';
import { PAGES } from '../../src/settings/index.ts';

const SRC = join(import.meta.dirname, '../../src');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** The texts of a file; what is put into one is "…". */
function textsOf(path: string): readonly string[] {
  const texts: string[] = [];
  const look = (node: ts.Node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(path, readFileSync(join(SRC, path), 'utf8'), ts.ScriptTarget.Latest));
  return texts;
}

const labels = PAGES.map(({ label }) => label);
/** As src/errors/own-settings.ts has it. */
const NAMED = new RegExp(
  `settings of Slipstream \\((?:${labels.join('|')})(?:, (?:${labels.join('|')}))*\\)`,
);
/** The pattern itself is no message. */
const texts = FILES.filter((path) => !path.endsWith('own-settings.ts')).flatMap((path) =>
  textsOf(path).map((text) => [text, path] as const),
);
const naming = texts.filter(([text]) => text.includes('settings of Slipstream ('));

test('messages name the place of a setting in one way, by pages that there are', () => {
  const otherwise = texts.filter(
    ([text]) =>
      /\b(?:in|into|open|those) (?:the|of) (?:settings|Slipstream)\b(?! of)/i.test(text) ||
      (text.includes('settings of Slipstream') && !NAMED.test(text)),
  );
  // That is a defect of ours, and no message.
  expect(otherwise.filter(([text]) => !text.startsWith('no source of the kind'))).toEqual([]);
  expect(naming.length).toBeGreaterThan(15);
});

const places = { settingsFile: '/home/me/settings.json', command: (words: string) => `slipstream ${words}` };

test.each(naming.filter(([text]) => text.includes(' in')))(
  'a shell, and a field in view, need no settings: %s',
  (next) => {
    expect(shellText(next, places)).not.toContain('settings of Slipstream');
    const [check] = withoutPlaces([
      { what: 'A test', failure: new SlipstreamError('UNREACHABLE', { what: '', next }) },
    ]);
    expect(check?.failure?.explanation.next).not.toContain('settings of Slipstream');
  },
);
