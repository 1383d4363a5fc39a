import { readFile } from 'node:fs/promises';
import { type Root, runInRoot } from '../../tools/debian-root/index.ts';
import type { Kodi } from './harness/index.ts';

/** X's numbers of the mouse's buttons. */
const BUTTONS = { left: 1, right: 3, wheelDown: 5 } as const;

/** By the XTEST extension, as a mouse would: moves to a point of the screen, and presses a button there if one is named. */
const SCRIPT = `
import ctypes, sys, time
x11, xtst = ctypes.CDLL('libX11.so.6'), ctypes.CDLL('libXtst.so.6')
x11.XOpenDisplay.restype = ctypes.c_void_p
screen = ctypes.c_void_p(x11.XOpenDisplay(sys.argv[1].encode()))
x, y, button = (int(word) for word in sys.argv[2:])
# As slow as a hand, so that each step falls into a frame of its own.
# Twice: Kodi takes the first move for the one that only wakes the pointer.
for at in ((x - 3, y), (x, y)):
    xtst.XTestFakeMotionEvent(screen, -1, *at, 0)
    x11.XFlush(screen)
    time.sleep(0.1)
if button:
    for down in (1, 0):
        xtst.XTestFakeButtonEvent(screen, button, down, 0)
        x11.XFlush(screen)
        time.sleep(0.05)
x11.XCloseDisplay(screen)
`;

/** Moves the mouse to a pixel of Kodi's screen, and presses a button there. */
export async function mouse(
  root: Root,
  kodi: Kodi,
  [x, y]: readonly [number, number],
  button?: keyof typeof BUTTONS,
): Promise<void> {
  const number = button === undefined ? 0 : BUTTONS[button];
  const display = await displayOf(kodi);
  await runInRoot(root, ['python3', '-c', SCRIPT, display, String(x), String(y), String(number)]);
}

async function displayOf(kodi: Kodi): Promise<string> {
  const process = kodi.processes().find(({ command }) => command.includes('kodi.bin'));
  const environment = await readFile(`/proc/${process?.pid ?? 'self'}/environ`, 'utf8');
  const display = /(?:^|\0)DISPLAY=([^\0]+)/.exec(environment)?.[1];
  if (display === undefined) throw new Error('Kodi has no display.');
  return display;
}
