import type { Backend } from '../backends/backend.ts';
import type { OutOfReach } from '../backends/nzb/out-of-reach.ts';
import type { Host } from '../host/port.ts';

/**
 * Asks, once in a play at the most, whether the backend may fetch an NZB itself that this device cannot reach. The answer
 * holds for the other releases of the play. Back is a no.
 */
export function openFetchConsent(
  backend: Pick<Backend, 'name'>,
  { questions }: Pick<Host, 'questions'>,
  signal: AbortSignal,
): (error: OutOfReach) => Promise<boolean> {
  const ask = async ({ explanation, manager: { who } }: OutOfReach) => {
    // Which server it is may have been found out since.
    const { name } = backend;
    const question = {
      title: `Fetch it by ${name}?`,
      text:
        `${explanation.what} ${name} may reach it and can fetch the NZB itself. ` +
        `The keys of ${who} and of the indexer then go to ${name}, and Slipstream cannot check the NZB.`,
      yes: `Let ${name} fetch it`,
      no: 'Next release',
    };
    return (await questions.confirm(question, signal)) === true;
  };
  let answer: Promise<boolean> | undefined;
  return (error) => (answer ??= ask(error));
}
