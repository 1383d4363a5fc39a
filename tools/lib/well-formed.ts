import { readFile } from 'node:fs/promises';
import { SaxesParser } from 'saxes';

/** Whether `text` is well-formed XML: undefined, or where and why not. */
export function xmlFault(text: string): string | undefined {
  const parser = new SaxesParser();
  let fault: string | undefined;
  // saxes puts line and column in front of its message.
  parser.on('error', (error) => (fault ??= error.message));
  parser.write(text).close();
  return fault;
}

/** The faults of several files, each as "path: line:column: why". */
export async function xmlFaults(paths: readonly string[]): Promise<string[]> {
  const faults = await Promise.all(
    paths.map(async (path) => {
      const fault = xmlFault(await readFile(path, 'utf8'));
      return fault === undefined ? [] : [`${path}: ${fault}`];
    }),
  );
  return faults.flat();
}
