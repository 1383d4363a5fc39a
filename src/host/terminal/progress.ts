import { CancelledError } from '../../errors/index.ts';
import { watchdog } from '../../io/wait.ts';
import type { ProgressDisplay, ProgressState } from '../port.ts';
import { discardKeys } from './discard-keys.ts';
import type { TerminalIo } from './picker.ts';

const BAR_WIDTH = 20;
/** Where nothing can be redrawn, a line per so many percent is enough. */
const LINE_STEP = 10;

/** Milliseconds without any progress after which it is said what is waited for, and that nobody has to. */
const LONG_WAIT = 4_000;

interface ProgressContext extends TerminalIo {
  /** As Host.openProgress. */
  readonly alone: boolean;
}

/** Opens a progress display on the status line; Ctrl-C cancels it. */
export function openProgress(title: string, { alone, ...context }: ProgressContext): ProgressDisplay {
  const { input, screen, interrupts } = context;
  const controller = new AbortController();
  const release = interrupts.claim(() => {
    controller.abort(new CancelledError('person'));
  });
  const stopDropping = alone && input.isTTY === true ? discardKeys(context) : undefined;
  let now: ProgressState | undefined;
  let told: ProgressState | undefined;
  const wait = watchdog(LONG_WAIT, () => {
    // Who is asked something keeps us waiting, and not the other way round.
    if (now === undefined || screen.isAsking || (told !== undefined && isSameLine(now, told))) return;
    told = now;
    screen.line(`Still waiting: ${now.stage}. Ctrl-C cancels.`);
  });
  screen.heading(title);
  return {
    update: (state) => {
      if (state.stage !== now?.stage || state.percent !== now.percent) wait.start();
      now = state;
      screen.status(statusText(screen.interactive ? state : withoutDetail(state)));
      return Promise.resolve();
    },
    printLine: (words) => {
      screen.line(words);
    },
    cancelled: controller.signal,
    close: async () => {
      wait.end();
      release();
      screen.clearStatus();
      await stopDropping?.();
    },
  };
}

/** " 40 %  [########------------]  Downloading  more about it": what matters most stays on the narrowest screen. */
function statusText({ stage, detail, percent }: ProgressState): string {
  const parts = [...(percent === undefined ? [] : [bar(percent)]), stage, ...(detail ? [detail] : [])];
  return parts.join('  ');
}

function bar(percent: number): string {
  const within = Math.min(100, Math.max(0, percent));
  const filled = Math.round((within / 100) * BAR_WIDTH);
  return `${String(Math.round(within)).padStart(3)} %  [${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
}

/** What moves, however slowly, is told of once in a while. */
const isSameLine = (one: ProgressState, other: ProgressState): boolean =>
  one.stage === other.stage && withoutDetail(one).percent === withoutDetail(other).percent;

/** Without the detail, which changes too often, and with the percentage in steps. */
function withoutDetail({ stage, percent }: ProgressState): ProgressState {
  return percent === undefined ? { stage } : { stage, percent: Math.floor(percent / LINE_STEP) * LINE_STEP };
}
