/** Asks once: what was answered is not asked for again, a failure is. */
export function memoizeSuccess<T>(
  ask: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let answer: { readonly value: T } | undefined;
  return async (signal) => (answer ??= { value: await ask(signal) }).value;
}
