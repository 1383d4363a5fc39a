import { SaxesParser } from 'saxes';

/** A plain tree of a small XML file of ours. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The text directly inside, without the blanks around it. */
  readonly text: string;
}

interface Draft extends Element {
  readonly children: Draft[];
  text: string;
}

/** @throws Error, with line and column, when it is not well-formed. */
export function parseXml(xml: string): Element {
  const root: Draft = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: Draft = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined) element.text = element.text.trim();
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  const [top] = root.children;
  if (top === undefined) throw new Error('there is nothing in it');
  return top;
}

export const childrenOf = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name);

/** Every element below, at any depth. */
export const descendants = (element: Element): Element[] =>
  element.children.flatMap((child) => [child, ...descendants(child)]);
