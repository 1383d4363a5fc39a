import type { DetectedService, FoundService } from './detect-service.ts';

/** What is known of the ports of one machine. */
interface Machine {
  /** Takes what one more of its ports has come to. */
  readonly add: (answering: DetectedService | undefined) => void;
  /** Tells what was held back: nothing more will be heard. */
  readonly end: () => void;
}

/**
 * Tells each service of a machine once. nzbdav's front end passes on what its back end answers at a port of its own,
 * which is the quicker way (protocols.md §2.6): where both are found, the back end's port counts. So a front end is told
 * of when all ports have been looked at.
 */
export function openMachine(ports: number, tell: (found: FoundService) => void): Machine {
  let left = ports;
  let fronts: readonly FoundService[] = [];
  let backs: readonly string[] = [];
  const end = () => {
    for (const front of fronts) {
      const back = backs.indexOf(front.label);
      if (back < 0) tell(front);
      else backs = backs.filter((_, at) => at !== back);
    }
    fronts = [];
  };
  return {
    add: (answering) => {
      left--;
      const { found, isFrontEnd: isFront } = answering ?? {};
      if (found !== undefined && isFront === true && TWO_PORTS.has(found.label)) fronts = [...fronts, found];
      else if (found !== undefined) {
        backs = [...backs, found.label];
        tell(found);
      }
      if (left === 0) end();
    },
    end,
  };
}

const TWO_PORTS: ReadonlySet<string> = new Set(['nzbdav', 'InfiniDysk']);
