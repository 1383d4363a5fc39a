import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { CodeCard, OpenCodeCard } from '../port.ts';
import { qrCode } from '../qr-code.ts';
import { typedAddress } from '../typed-address.ts';
import type { Interrupts } from './interrupts.ts';
import type { Screen } from './screen.ts';

/** Two rows of modules in a line, by whether the upper and the lower one are black. */
const HALVES = [
  [' ', '▄'],
  ['▀', '█'],
] as const;

/** Shows the card as lines, with the picture where it can be told from its ground; Ctrl-C goes back from it. */
export function openTerminalCodeCard(
  card: CodeCard,
  { screen, interrupts }: { readonly screen: Screen; readonly interrupts: Interrupts },
  signal: AbortSignal,
): OpenCodeCard {
  const over = deferred<undefined>();
  const back = () => {
    over.resolve(undefined);
  };
  const release = interrupts.claim(back);
  screen.line(card.title, 'bold');
  drawPicture(card.address, screen);
  for (const line of card.text.split('\n')) screen.line(line);
  screen.unredactedLine(`Address: ${typedAddress(card.address)}`);
  screen.unredactedLine(`Code: ${card.code}`);
  screen.status(card.status);
  const closed = unlessAborted(over.promise, signal).finally(() => {
    release();
    screen.clearStatus();
  });
  // Nobody may be waiting for it yet.
  closed.catch(() => undefined);
  return {
    update: ({ status }) => {
      screen.status(status);
      return Promise.resolve();
    },
    closed,
    close: async () => {
      back();
      await closed.catch(() => undefined);
    },
  };
}

function drawPicture(text: string, screen: Screen): void {
  const modules = qrCode(text);
  if (!screen.styled || modules.length > screen.columns) return;
  for (let y = 0; y < modules.length; y += 2) {
    const [upper = [], lower = []] = modules.slice(y, y + 2);
    screen.line(
      upper.map((black, x) => HALVES[Number(black)]?.[Number(lower[x] ?? false)]).join(''),
      'print',
    );
  }
}
