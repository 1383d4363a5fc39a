import { Refused } from './api.mjs';
import { wrongIn } from './checks.mjs';
import { savedServices } from './services.mjs';
import { savedSources } from './sources.mjs';

/** Milliseconds: who is done waits no longer. */
const PATIENCE = 20_000;

/** What was entered since the page was opened, and is used. */
export const entered = () => [...savedServices(), ...savedSources()];

/**
 * Tests all of them side by side; each card tells what came of its test. Gives those that do not work: {name, box}, and
 * why where their card does not say so. Whoever stops it asks the controller whether that was so.
 */
export async function failing(tested, stopping) {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, PATIENCE);
  stopping.signal.addEventListener('abort', end);
  try {
    const told = await Promise.all(
      tested.map(async ({ name, box, test }) => ({ name, box, ...(await outcome(test, limit.signal)) })),
    );
    return told.filter(({ works }) => !works);
  } finally {
    clearTimeout(timer);
  }
}

async function outcome(test, signal) {
  try {
    return { works: wrongIn(await test(signal, false)) === undefined };
  } catch (error) {
    if (error instanceof Refused) return { works: false };
    if (signal.aborted) return { works: false, why: 'Its test takes longer than 20 seconds.' };
    throw error;
  }
}
