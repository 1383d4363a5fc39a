import { isOwnStreamUrl } from '../own-stream-url.ts';
import type { Host, PlayerEvent, PlayItem, ServiceHost } from '../port.ts';
import { formatTime } from '../time-text.ts';
import { askResume } from './ask-line.ts';
import { openTerminalCodeCard } from './code-card.ts';
import { localFiles } from './files.ts';
import type { Interrupts } from './interrupts.ts';
import { openNonSecretValues } from './non-secret-values.ts';
import { type InputStream, openTerminalPicker } from './picker.ts';
import { startPlayer } from './player.ts';
import { openProgress } from './progress.ts';
import { memoryProperties } from './properties.ts';
import { terminalQuestions } from './questions.ts';
import { createScreen, type ScreenStream } from './screen.ts';
import { readSettingsFile, writeSettingsFile } from './settings-file.ts';
import { shellText } from './shell-text.ts';

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
  /** As Shell.command. */
  readonly command: (words: string) => string;
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
  readonly print: (text: string) => void;
}

export function openTerminal(options: TerminalOptions): Terminal {
  const { input, output, interrupts, settingsFile, dataFolder, player } = options;
  const plain = openNonSecretValues();
  const screen = createScreen(options.messages, options.styled, plain.values, (text) =>
    shellText(text, options),
  );
  const say = (text: string) => {
    screen.line(text);
  };
  const listeners: ((event: PlayerEvent) => void)[] = [];
  const play = async ({ stream, startAt }: PlayItem) => {
    output.write(`${stream.url}\n`);
    // How a player is told is its own business.
    if (startAt !== undefined) say(`It was left at ${formatTime(startAt)}.`);
    const tell = (event: PlayerEvent) => {
      for (const listener of listeners) listener(event);
    };
    // What the person does with a printed URL is out of our sight: it counts as being played.
    if (player === undefined) {
      // Scripts that read the URL need no words.
      if (output.isTTY === true && isOwnStreamUrl(stream.url)) say('Served until Ctrl-C.');
      tell({ kind: 'started', file: stream.url });
    } else {
      await startPlayer(player, stream.url, interrupts.aborted, { onEvent: tell, onProblem: say });
    }
  };
  const shared = {
    dataFolder,
    aborted: interrupts.aborted,
    readSettings: async (ids: readonly string[]) => {
      const stored = await readSettingsFile(settingsFile);
      plain.add(stored);
      return Object.fromEntries(Object.entries(stored).filter(([id]) => ids.includes(id)));
    },
    properties: memoryProperties(),
    files: localFiles,
    notify: ({ what, next }: { readonly what: string; readonly next: string }) => {
      say(`${what} ${next}`.trimEnd());
      return Promise.resolve();
    },
    openProgress: (title: string, { alone = false }: { readonly alone?: boolean } = {}) =>
      Promise.resolve(openProgress(title, { input, screen, interrupts, alone })),
  };
  return {
    print: say,
    host: {
      ...shared,
      cancelKey: 'Ctrl-C',
      writeSettings: async (values) => {
        await writeSettingsFile(settingsFile, values);
        plain.add(values);
      },
      shell: {
        settingsFile,
        command: options.command,
        print: (text) => {
          for (const line of text.split('\n')) say(line);
        },
        printUnbroken: (line) => {
          screen.unbrokenLine(line);
        },
      },
      openSettings: () => {
        say(`The settings are in ${settingsFile}.`);
        return Promise.resolve();
      },
      openPicker: (view, signal) => {
        if (signal.aborted) return Promise.reject(signal.reason as Error);
        return Promise.resolve(openTerminalPicker(view, { input, screen, interrupts }, signal));
      },
      // A shell's command is the person's own, each time.
      resumeAnswer: () => Promise.resolve(undefined),
      startedBy: () => Promise.resolve('person'),
      takeReplayRequest: () => Promise.resolve(undefined),
      deferToBrokenFilm: () => Promise.resolve(false),
      askResume: (offer, signal) => askResume(offer, { input, screen, interrupts }, signal),
      questions: terminalQuestions({ input, screen, interrupts }),
      openCodeCard: (card, signal) => {
        if (signal.aborted) return Promise.reject(signal.reason as Error);
        return Promise.resolve(openTerminalCodeCard(card, { screen, interrupts }, signal));
      },
      play,
      showMenu: (rows) => {
        for (const { label, help } of rows) say(`${label}: ${help}`);
        return Promise.resolve(false);
      },
      renewMenu: () => Promise.resolve(),
      startRoute: () => Promise.resolve(),
      resolve: async (item) => {
        if (item !== undefined) await play(item);
      },
    },
    service: {
      ...shared,
      listen: { port: 0 },
      snapshot: undefined,
      streamRefused: () => undefined,
      // A terminal's player is out of our sight: what it does not tell is not known, and it plays nothing again.
      player: {
        state: () => Promise.resolve(undefined),
        play: () => Promise.resolve(),
        replay: () => Promise.resolve(),
        stop: () => Promise.resolve(),
        releaseQueue: () => undefined,
      },
      films: {
        of: () => Promise.resolve(undefined),
        restore: () => Promise.resolve(),
        forget: () => Promise.resolve(),
      },
      show: ({ title, text }) => {
        say(title);
        say(text);
        return Promise.resolve();
      },
      // Nobody takes over from a terminal that has ended.
      saveSnapshot: () => Promise.resolve(),
      onPlayerEvent: (listener) => {
        listeners.push(listener);
      },
      onPlayedToEnd: () => undefined,
      // The file is read once.
      onSettingsChanged: () => undefined,
    },
  };
}
