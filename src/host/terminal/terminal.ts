import { clock } from '../clock.ts';
import { isOurs } from '../ours.ts';
import type { Host, PlayerEvent, PlayItem, ServiceHost } from '../port.ts';
import { openTerminalCodeCard } from './code-card.ts';
import { localFiles } from './files.ts';
import type { Interrupts } from './interrupts.ts';
import { type InputStream, openTerminalPicker } from './picker.ts';
import { startPlayer } from './player.ts';
import { openProgress } from './progress.ts';
import { memoryProperties } from './properties.ts';
import { askResume } from './question.ts';
import { terminalQuestions } from './questions.ts';
import { createScreen, type ScreenStream } from './screen.ts';
import { readSettingsFile, writeSettingsFile } from './settings-file.ts';

export interface TerminalOptions {
  /** Where the person types. */
  readonly input: InputStream;
  /** Where the URL goes, alone on its line, for scripts to read. */
  readonly output: ScreenStream;
  /** Where the person reads. */
  readonly messages: ScreenStream;
  readonly interrupts: Interrupts;
  readonly settingsFile: string;
  readonly dataFolder: string;
  /** Command of a player to start with the URL; without it the URL is only printed. */
  readonly player?: string;
  /** Whether a terminal may show bold and dim text. */
  readonly styled: boolean;
}

/** The shell as a media centre, for the play and for the service that runs beside it in the same process. */
export interface Terminal {
  readonly host: Host;
  readonly service: ServiceHost;
  /** Shows a line among the others, without harm to what is being drawn. */
  readonly say: (text: string) => void;
}

export function openTerminal(options: TerminalOptions): Terminal {
  const { input, output, interrupts, settingsFile, dataFolder, player } = options;
  const screen = createScreen(options.messages, options.styled);
  const say = (text: string) => {
    screen.line(text);
  };
  const listeners: ((event: PlayerEvent) => void)[] = [];
  const play = async ({ stream, startAt }: PlayItem) => {
    output.write(`${stream.url}\n`);
    // How a player is told is its own business.
    if (startAt !== undefined) say(`It was left at ${clock(startAt)}.`);
    const tell = (event: PlayerEvent) => {
      for (const listener of listeners) listener(event);
    };
    // What the person does with a printed URL is out of our sight: it counts as being played.
    if (player === undefined) {
      // Scripts that read the URL need no words.
      if (output.isTTY === true && isOurs(stream.url)) say('Served until Ctrl-C.');
      tell({ kind: 'started', file: stream.url });
    } else {
      await startPlayer(player, stream.url, interrupts.aborted, { tell, complain: say });
    }
  };
  const shared = {
    dataFolder,
    aborted: interrupts.aborted,
    readSettings: async (ids: readonly string[]) => {
      const stored = Object.entries(await readSettingsFile(settingsFile));
      return Object.fromEntries(stored.filter(([id]) => ids.includes(id)));
    },
    properties: memoryProperties(),
    files: localFiles,
    notify: ({ what, next }: { readonly what: string; readonly next: string }) => {
      say(`${what} ${next}`.trimEnd());
      return Promise.resolve();
    },
  };
  return {
    say,
    host: {
      ...shared,
      writeSettings: (values) => writeSettingsFile(settingsFile, values),
      openSettings: () => {
        say(`The settings are in ${settingsFile}.`);
        return Promise.resolve();
      },
      openProgress: (title) => Promise.resolve(openProgress(title, screen, interrupts)),
      openPicker: (view, signal) => {
        if (signal.aborted) return Promise.reject(signal.reason as Error);
        return Promise.resolve(openTerminalPicker(view, { input, screen, interrupts }, signal));
      },
      // A shell's command is the person's own, each time.
      resumeAsked: undefined,
      startedBy: () => Promise.resolve('person'),
      askResume: (position, signal) => askResume(position, { input, screen, interrupts }, signal),
      questions: terminalQuestions({ input, screen, interrupts }),
      openCodeCard: (card, signal) => {
        if (signal.aborted) return Promise.reject(signal.reason as Error);
        return Promise.resolve(openTerminalCodeCard(card, { screen, interrupts }, signal));
      },
      play,
      showMenu: (rows) => {
        for (const { label, help } of rows) say(`${label}: ${help}`);
        return Promise.resolve();
      },
      resolve: async (item) => {
        if (item !== undefined) await play(item);
      },
    },
    service: {
      ...shared,
      listen: { port: 0 },
      snapshot: undefined,
      // A terminal's player is out of our sight: what it does not tell is not known, and it plays nothing again.
      player: {
        state: () => Promise.resolve(undefined),
        play: () => Promise.resolve(),
      },
      // Nobody takes over from a terminal that has ended.
      saveSnapshot: () => Promise.resolve(),
      onPlayerEvent: (listener) => {
        listeners.push(listener);
      },
      // The file is read once.
      onSettingsChanged: () => undefined,
    },
  };
}
