/** Something that a figure has started and that must end with it. */
export interface Resource {
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Takes a party that starts; it is stopped when the work ends. */
export type UseResource = <P extends Resource>(starting: Promise<P>) => Promise<P>;

/** Does the work, and stops whatever it used, the last first, however it ends. */
export async function withResources<T>(work: (use: UseResource) => Promise<T>): Promise<T> {
  const used: Resource[] = [];
  try {
    return await work(async (starting) => {
      const party = await starting;
      used.push(party);
      return party;
    });
  } finally {
    for (const party of used.reverse()) await party.stop();
  }
}
