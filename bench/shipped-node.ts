import { cacheFolder } from '../tools/debian-root/paths.ts';
import { run } from '../tools/lib/run.ts';
import { ensureOtherNode } from '../tools/test/other-node.ts';

/** The line of Node that the runtime add-on brings. */
const SHIPPED = 24;

/** A Node of the line that ships, fetched when this is another. @throws Error when there is none to be had. */
export async function shippedNode(): Promise<string> {
  if (process.versions.node.startsWith(`${SHIPPED}.`)) return process.execPath;
  const node = await ensureOtherNode(cacheFolder(), SHIPPED);
  if ('skip' in node) throw new Error(node.skip);
  return node.binary;
}

/** As in "Node 24.1.0". */
export async function versionOf(node: string): Promise<string> {
  return `Node ${(await run(node, ['--version'])).output.trim().slice(1)}`;
}
