import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../src/release/name');

/** Patterns with one unbounded repetition inside another, each looked at: nothing that the inner one takes can begin the outer anew. */
const REVIEWED: readonly string[] = [];

const patterns = readdirSync(FOLDER).flatMap((file) => {
  const found: string[] = [];
  const source = ts.createSourceFile(file, readFileSync(join(FOLDER, file), 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
});

const UNBOUNDED = /^(?:[+*]|\{\d+,\})/;

/** Whether a group that repeats without bound holds something that does so as well. */
function nestsRepetitions(pattern: string): boolean {
  const open: boolean[] = [];
  for (let at = 1; at < pattern.length; at++) {
    const sign = pattern.charAt(at);
    if (sign === '\\') at++;
    else if (sign === '[') at = endOfClass(pattern, at);
    else if (sign === '(') {
      open.push(false);
      continue;
    }
    const repeats = UNBOUNDED.test(pattern.slice(at + 1));
    if (sign === ')') {
      const inner = open.pop() ?? false;
      if (inner && repeats) return true;
      if (inner && open.length > 0) open[open.length - 1] = true;
    }
    if (repeats && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (pattern.charAt(at) !== ']') at += pattern.charAt(at) === '\\' ? 2 : 1;
  return at;
}

describe('the patterns of the release name parser', () => {
  it('are all found', () => {
    expect(patterns.length).toBeGreaterThan(50);
  });

  it('are told apart by the check', () => {
    expect(['/(a+)+/', '/(?:a*b)*/', '/((?:x|y+)z)+/', '/(?:[a-z]+-){2,}/'].map(nestsRepetitions)).toEqual(
      Array(4).fill(true),
    );
    expect(['/(ab)+c+/', '/(?:[+*]b)+/', '/(?:a{1,3})+/', '/\\(a+\\)+/'].map(nestsRepetitions)).toEqual(
      Array(4).fill(false),
    );
  });

  it('repeat nothing without bound within such a repetition', () => {
    expect(patterns.filter((pattern) => nestsRepetitions(pattern) && !REVIEWED.includes(pattern))).toEqual(
      [],
    );
  });
});
