/**
 * What a table of ours holds under a stranger's word. Every object also knows `constructor`, `__proto__` and the like,
 * which would pass for entries.
 */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
