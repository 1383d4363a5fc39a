// The rules about comments: a long one has a heading, and a doc block stands directly above what it describes. Part of
// npm run check.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../lib/paths.ts';

/** So many lines of text need no heading. */
const MAX_LINES = 6;
/** A heading with an empty line below it is at most so long. One that ends with a colon is as long as its line. */
const MAX_HEADING = 100;

interface Comment {
  readonly start: number;
  readonly end: number;
  /** Without the marks around it and at the beginnings of its lines. */
  readonly lines: readonly string[];
}

/** The faults of one file, each as "path:line: what". */
export function commentFaults(path: string, text: string): string[] {
  const faults = path.endsWith('.py') ? faultsOfPython(text) : faultsOfTypeScript(path, text);
  return faults
    .sort((one, other) => one.at - other.at)
    .map(({ at, what }) => `${path}:${text.slice(0, at).split('\n').length}: ${what}`);
}

interface Fault {
  readonly at: number;
  readonly what: string;
}

function faultsOfTypeScript(path: string, text: string): Fault[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const comments = commentsOf(source);
  const described = startsOfDescribed(source);
  const long = joinLineComments(text, comments).filter(needsHeading).map(withoutHeading);
  const lonely = comments
    .filter(({ start, end }) => text.startsWith('/**', start) && !described.has(startBelow(text, end)))
    .map(({ start }) => ({ at: start, what: 'a doc block with no declaration directly below it' }));
  return [...long, ...lonely];
}

function commentsOf(source: ts.SourceFile): Comment[] {
  const { text } = source;
  const found = new Map<number, Comment>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    if (ts.isToken(node)) {
      const before = ts.getLeadingCommentRanges(text, node.pos) ?? [];
      const behind = ts.getTrailingCommentRanges(text, node.pos) ?? [];
      for (const { pos, end } of [...before, ...behind])
        found.set(pos, { start: pos, end, lines: textLines(text.slice(pos, end)) });
    }
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found.values()].sort((one, other) => one.start - other.start);
}

const textLines = (comment: string): string[] => {
  const lines = comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\/|\*)?/, '').trim());
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return lines;
};

/** Comments of one line each (`//`) that stand in lines below each other are one. */
function joinLineComments(text: string, comments: readonly Comment[]): Comment[] {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const isLine = text.startsWith('//', comment.start) && isFirstOfLine(text, comment.start);
    if (
      last !== undefined &&
      isLine &&
      text.startsWith('//', last.start) &&
      nextLine(text, last.end) === comment.start
    )
      joined[joined.length - 1] = { ...last, end: comment.end, lines: [...last.lines, ...comment.lines] };
    else joined.push(comment);
  }
  return joined;
}

const isFirstOfLine = (text: string, at: number) => /(?:^|\n)[ \t]*$/.test(text.slice(0, at));

/** Where the text goes on behind `end`, in the same line or in the next one. */
const nextLine = (text: string, end: number): number => {
  const gap = /^[ \t]*\r?\n?[ \t]*/.exec(text.slice(end));
  return end + (gap?.[0].length ?? 0);
};

/** The same, without the bar of a type that is one of several. */
const startBelow = (text: string, end: number): number => {
  const next = nextLine(text, end);
  return next + (/^[|&] /.exec(text.slice(next))?.[0].length ?? 0);
};

const isDescribable = (node: ts.Node): boolean =>
  ts.isVariableStatement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassLike(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isEnumMember(node) ||
  ts.isModuleDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isExportAssignment(node) ||
  ts.isParameter(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isTypeNode(node) ||
  ts.isClassElement(node) ||
  ts.isTypeElement(node) ||
  ts.isObjectLiteralElement(node) ||
  ts.isArrayLiteralExpression(node.parent);

function startsOfDescribed(source: ts.SourceFile): ReadonlySet<number> {
  const starts = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (isDescribable(node)) starts.add(node.getStart(source));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return starts;
}

const needsHeading = ({ lines }: Comment): boolean => {
  const [first = '', second] = lines;
  const hasHeading = first.endsWith(':') || (second === '' && first.length <= MAX_HEADING);
  return lines.length > MAX_LINES && !hasHeading;
};

const withoutHeading = ({ start, lines }: Comment): Fault => ({
  at: start,
  what: `${lines.length} lines of comment without a heading`,
});

/** A docstring, or lines of comment below each other. */
const PYTHON = /^[ \t]*(?:[rR]?("""|''')([\s\S]*?)\1|#.*(?:\n[ \t]*#.*)*)/gm;

function faultsOfPython(text: string): Fault[] {
  return [...text.matchAll(PYTHON)].flatMap((match) => {
    const { 0: all, 2: docstring, index } = match;
    const at = index + all.length - all.trimStart().length;
    const lines = textLines(docstring ?? all.replace(/^[ \t]*#/gm, ''));
    const comment = { start: at, end: index + all.length, lines };
    const isLonely = docstring !== undefined && !isBelowPythonHead(text.slice(0, index));
    return [
      ...(needsHeading(comment) ? [withoutHeading(comment)] : []),
      ...(isLonely ? [{ at, what: 'a docstring that is not the first statement of anything' }] : []),
    ];
  });
}

const isBelowPythonHead = (before: string): boolean => {
  const code = before
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .at(-1);
  return code === undefined || code.trimEnd().endsWith(':');
};

const FOLDERS = ['src', 'sandbox', 'bench', 'tools', 'test', 'addon'];

/** The faults of the whole repository. */
export async function allCommentFaults(root = ROOT): Promise<string[]> {
  const inFolders = FOLDERS.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
  );
  const paths = (await Promise.all(inFolders))
    .flat()
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.(?:[cm]?ts|[cm]js|py)$/.test(path) && !dirname(path).includes('node_modules'));
  const faults = paths
    .sort()
    .map(async (path) => commentFaults(path, await readFile(join(root, path), 'utf8')));
  return (await Promise.all(faults)).flat();
}
