import binaries from './node-binaries.json' with { type: 'json' };

/** What the runtime add-on is made of on one platform: its row in node-binaries.json. */
export interface NodeBinary {
  /** The npm package that holds the official binary, and its version, which is Node's. */
  readonly package: string;
  readonly node: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The program's path, in the npm package as in the add-on. */
  readonly file: string;
  /** A package of the same Node that has its licences, where this one has none. */
  readonly licences?: string;
  /** As Node's process.platform and Python's sys.platform call it, and Node's process.arch. */
  readonly os: string;
  readonly arch: string;
  /** What Kodi 21 calls it in addon.xml. A Kodi of 32 bits has another name, and is offered nothing. */
  readonly kodi: string;
  /** What the system must have to run it: the loader that the ELF names, the newest symbols of glibc that it needs. */
  readonly loader?: string;
  readonly glibc?: string;
}

/** By platform. */
export type NodeBinaries = Readonly<Record<string, NodeBinary>>;

/** The Nodes that ship. */
export const NODE_BINARIES: NodeBinaries = binaries;

/** Those of a list such as "linux-x64,win-x64". @throws Error that names what is no platform. */
export function binariesFor(list: string): NodeBinaries {
  const chosen = list.split(',').map((name): [string, NodeBinary] => {
    const found = Object.entries(NODE_BINARIES).find(([platform]) => platform === name.trim());
    if (found !== undefined) return found;
    throw new Error(`there is no platform "${name.trim()}", only ${Object.keys(NODE_BINARIES).join(', ')}`);
  });
  return Object.fromEntries(chosen);
}
