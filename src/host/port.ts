import type { Explanation } from '../errors/index.ts';
import type { LocalStream, MediaIds, MediaRequest } from '../model/index.ts';

/**
 * Everything that the engine needs of a media centre. Implemented for Kodi (over the bridge), for a terminal, and as
 * a recording fake for tests; all pass the same contract suite. Nothing outside of host/kodi knows that Kodi exists.
 */
export interface Host {
  /** Folder for what we keep on disk; exists or can be made. */
  readonly dataFolder: string;
  /** Aborts, with a CancelledError, when the host wants us gone: everything is to be cleaned up within 2 s. */
  readonly aborted: AbortSignal;
  /** The stored settings as text; ids that were never stored are absent. */
  readSettings(ids: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Stores settings as if the person had entered them; the others stay. @throws HOST_FAILED */
  writeSettings(values: Readonly<Record<string, string>>): Promise<void>;
  /** Opens the settings of ours, at that page where it can, and does not wait for their end. */
  openSettings(page?: string): Promise<void>;
  readonly properties: Properties;
  readonly files: HostFiles;
  /** Other add-ons; absent where there are none. */
  readonly addons?: OtherAddons;
  /** Where the person types commands; absent where they have a remote control. */
  readonly shell?: Shell;
  /**
   * Opens a progress display. One at a time; picking while it is open is fine, unless it is `alone`: what is typed
   * meanwhile is no answer to what is asked next.
   */
  openProgress(title: string, options?: { readonly alone?: boolean }): Promise<ProgressDisplay>;
  /** What the person presses to cancel a progress display: "Ctrl-C". */
  readonly cancelKey: string;
  /** Opens a list to choose from. One at a time; a progress display may stay open behind it. */
  openPicker(view: PickerView, signal: AbortSignal): Promise<Picker>;
  readonly questions: Questions;
  /** Shows a code to be scanned by a phone. Nothing else of ours may be open. */
  openCodeCard(card: CodeCard, signal: AbortSignal): Promise<OpenCodeCard>;
  /**
   * What the person was asked before we were started: true to take the film up where it was left, false to play it from
   * its beginning; undefined when nobody has asked.
   */
  resumeAnswer(): Promise<boolean | undefined>;
  /**
   * Asks whether to take the film up where it was left or to play it from its start; undefined when the person goes
   * back. Nothing else that asks may be open.
   */
  askResume(offer: ResumeOffer, signal: AbortSignal): Promise<'resume' | 'start' | undefined>;
  /** Whether the person chose this film, a playlist came to it by itself, or our own service plays it (`recalled`). */
  startedBy(): Promise<'person' | 'playlist' | 'service'>;
  /**
   * Whether a playlist has come to this film because the one before it broke off. The pending resolve is then answered, and
   * the film follows once more behind what takes that one's place.
   */
  deferToBrokenFilm(): Promise<boolean>;
  /** What the service wants of a film that it plays by this call (ServicePlayer.replay); undefined: it does not. */
  takeReplayRequest(): Promise<ReplayRequest | undefined>;
  /**
   * What the media centre tells of the item that has the focus: mostly the one that was chosen, but it may be another.
   * Absent where nothing has a focus.
   */
  readonly focusedItem?: () => Promise<FocusedItem>;
  /** Tells the person that something failed, or was cancelled. Does not wait until it is read. */
  notify(message: Message): Promise<void>;
  /** Starts the stream in the player, outside of any resolve (the script path). */
  play(item: PlayItem): Promise<void>;
  /** Answers the pending call, exactly once, with what can be started from here. @returns whether a person has it before them */
  showMenu(rows: readonly MenuRow[]): Promise<boolean>;
  /** The menu would have other rows now: where it is on the screen, it is shown anew once this call is over. */
  renewMenu(): Promise<void>;
  /** Starts a route of ours as its row in the menu does. */
  startRoute(route: string): Promise<void>;
  /**
   * Answers the pending resolve, exactly once: with what to play, or with undefined for "nothing". After nothing, a
   * playlist goes on to its next film, unless it is to end.
   */
  resolve(item: PlayItem | undefined, after?: { readonly endPlaylist: boolean }): Promise<void>;
}

export interface Shell {
  /** The file that holds the settings. */
  readonly settingsFile: string;
  /** A command of ours as it is to be typed here, with the files that this one was given: "slipstream play …". */
  command(words: string): string;
  /** Shows lines that stay, and waits for nothing. */
  print(text: string): void;
  /** The same of one line that may be copied: it is not broken, however long it is. */
  printUnbroken(line: string): void;
}

/** Where a film may be taken up. */
export interface ResumeOffer {
  /** Seconds from its start. */
  readonly position: number;
  /** False: another cut was left there, and about the same scene comes at that second. */
  readonly isExact: boolean;
}

/** Whatever is not shown is absent. */
export interface FocusedItem {
  /** Of a film; of an episode its own. */
  readonly title?: string;
  readonly originalTitle?: string;
  readonly showTitle?: string;
  readonly year?: number;
  readonly season?: number;
  readonly episode?: number;
  /** Minutes. */
  readonly runtime?: number;
  readonly ids: MediaIds;
}

/**
 * Simple questions, one at a time; a progress display may stay open behind them. Each gives undefined when the person
 * goes back, and rejects with the signal's reason when the signal aborts.
 */
export interface Questions {
  /**
   * Asks for a line of text; given without the blanks around it. What is left empty is "" where there was a value, else
   * undefined.
   */
  text(question: TextQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Asks for one of some rows. @returns its id, or what was typed instead */
  choose(question: ChoiceQuestion, signal: AbortSignal): Promise<string | undefined>;
  confirm(question: YesNoQuestion, signal: AbortSignal): Promise<boolean | undefined>;
  /** Shows text of any length until the person goes on. */
  show(page: TextPage, signal: AbortSignal): Promise<void>;
}

export interface TextPage {
  readonly title: string;
  readonly text: string;
}

export interface TextQuestion {
  readonly title: string;
  /** Whole sentences, of which a narrow screen shows the first. */
  readonly help?: string;
  /** What stands there already. Never a stored secret. */
  readonly value?: string;
  /** What an answer that is emptied comes to, where that is not nothing: a default. */
  readonly emptied?: string;
  /** An answer that is emptied changes nothing. */
  readonly isNeeded?: true;
  /** Not to be read on the screen. */
  readonly hidden?: boolean;
}

export interface ChoiceQuestion {
  readonly title: string;
  readonly rows: readonly ChoiceRow[];
  /** The row that has the focus; absent: the first. */
  readonly focused?: string;
  /** An address may be typed instead of choosing a row, where there is a keyboard. */
  readonly orAddress?: true;
}

export interface ChoiceRow {
  readonly id: string;
  readonly label: string;
  /** A line below it. */
  readonly detail?: string;
}

export interface YesNoQuestion {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  /** The answer that has the focus; absent: yes, as that mostly goes on. */
  readonly focused?: 'no';
}

export interface CodeCard {
  readonly title: string;
  /** What the picture holds. Whoever types it instead is shown it without what follows "#". */
  readonly address: string;
  /** To be typed on the phone when the address was. */
  readonly code: string;
  /** What to do with it. */
  readonly text: string;
  /** What happens: "Waiting for your phone". */
  readonly status: string;
}

export interface OpenCodeCard {
  update(card: CodeCard): Promise<void>;
  /** Resolves when the person goes back, or when it was closed; rejects with the signal's reason. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface OtherAddons {
  isInstalled(id: string): Promise<boolean>;
  /** Where an add-on keeps its data; need not be there. */
  dataFolder(id: string): string;
}

/**
 * Files as the media centre itself can open them: local paths, smb://, nfs://. A server that accepts a connection and
 * never answers may keep the media centre from ending (kodi.md §5), so whoever asks has made sure that it speaks.
 */
export interface HostFiles {
  /** What lies directly in a folder; undefined when there is no such folder, or none that opens. @throws HOST_FAILED */
  list(folder: string, signal: AbortSignal): Promise<readonly HostFile[] | undefined>;
  /** Bytes of a file, fewer than `length` only at its end; undefined when it cannot be opened. @throws HOST_FAILED */
  read(
    path: string,
    range: { readonly from: number; readonly length: number },
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined>;
}

export interface HostFile {
  /** One path segment. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes; undefined for folders, and where nobody can look. */
  readonly size?: number;
}

/** Named strings that all processes share, lost when the media centre ends. */
export interface Properties {
  get(name: string): Promise<string>;
  set(name: string, value: string): Promise<void>;
  clear(name: string): Promise<void>;
}

export interface ProgressDisplay {
  update(state: ProgressState): Promise<void>;
  /** Says something that shall stay when the display has gone; absent where there is no room for that. */
  readonly printLine?: (words: string) => void;
  /** Aborts, with a CancelledError, when the person cancels. */
  readonly cancelled: AbortSignal;
  close(): Promise<void>;
}

export interface ProgressState {
  /** What is being done: "Searching Example". */
  readonly stage: string;
  /** More about it: "27 releases". */
  readonly detail?: string;
  /** 0 to 100; undefined: nobody knows. */
  readonly percent?: number;
}

/** A list from which the person chooses, while it may still change. */
export interface Picker {
  /** Shows this instead: the focused row keeps its focus, and its row on the screen, for as long as it is listed. */
  update(view: PickerView): Promise<void>;
  /**
   * The chosen row's id, or undefined when the person goes back; the list is then closed. Rejects with the signal's
   * reason when the signal aborts.
   */
  readonly chosen: Promise<string | undefined>;
  close(): Promise<void>;
}

export interface PickerView {
  /** "Sintel (2010)". */
  readonly title: string;
  /** "34 of 120 releases pass your filters". */
  readonly summary: string;
  /** How the rows are sorted, truthfully: "Resolution, then size". */
  readonly order: string;
  /** Who still answers, who failed and why; empty when there is nothing to say. */
  readonly status: string;
  /** Whether rows may still come. */
  readonly searching: boolean;
  /**
   * All rows in order; those that were rejected come last and are hidden until the person asks to see everything, but for
   * the one that was watched.
   */
  readonly rows: readonly PickerRow[];
  readonly poster?: string;
  readonly fanart?: string;
}

export interface PickerRow {
  /** Stays the same through all updates. */
  readonly id: string;
  /** The release's name. */
  readonly name: string;
  /** The quality at a glance, the most important first. */
  readonly badges: readonly Badge[];
  /** Each of these as shown, empty when not known: "7.4 GB", "12 Mbit/s", "3 d", "Example", "GRP", "EN DE". */
  readonly size: string;
  readonly bitrate: string;
  readonly age: string;
  readonly indexer: string;
  readonly group: string;
  readonly languages: string;
  readonly downloaded: boolean;
  /** A season pack. */
  readonly pack: boolean;
  /** "failed on 2 Nov" where it proved broken lately; empty or absent where it did not. */
  readonly failed?: string;
  /** "left at 3:44" for the release that was watched last; empty or absent for any other. */
  readonly watched?: string;
  /** Why the filters rejected it, the first reason first; empty for a row that passed. */
  readonly rejections: readonly string[];
  /** For the details pane: what else is known, and why it stands where it does. */
  readonly details: readonly Detail[];
}

export interface Badge {
  readonly text: string;
  readonly kind: 'resolution' | 'source' | 'hdr' | 'codec' | 'audio' | 'edition';
}

export interface Detail {
  readonly label: string;
  readonly value: string;
}

/** Drawn by tools/art.py. */
export type MenuIcon =
  | 'failure'
  | 'indexers'
  | 'phone'
  | 'player-file'
  | 'report'
  | 'search'
  | 'set-up'
  | 'settings'
  | 'test';

export interface MenuRow {
  readonly label: string;
  /** What it does, in a sentence. */
  readonly help: string;
  /** The name of its picture. */
  readonly icon: MenuIcon;
  /** The route that it starts, such as "/search". Nothing waits for what comes of it, be it a film or an action. */
  readonly route: string;
}

export interface PlayItem {
  readonly stream: LocalStream;
  /** Absent for a bare URL. */
  readonly request?: MediaRequest;
  /** What the call gave, before anything was looked up; absent: the same as `request`. */
  readonly given?: MediaRequest;
  readonly title: string;
  /** Seconds from the film's start to where it begins; absent: at its start, or where the media centre wants. */
  readonly startAt?: number;
  /** What belongs to this film in our own notes; the service gets it back with PlayerState. Holds no secret. */
  readonly mark?: string;
}

/** What the service process hears from the media centre, beyond the calls of Host. */
export type PlayerEvent =
  | {
      /** `stopped`: by the person, or because it could not be opened. `ended`: there was nothing more to read. */
      readonly kind: 'started' | 'av-started' | 'stopped' | 'ended' | 'error';
      /** The URL or path that the player holds; empty when the media centre no longer knows. */
      readonly file: string;
    }
  | {
      readonly kind: 'seek';
      readonly file: string;
      /** Seconds from the start of the film to where the player goes. */
      readonly time: number;
    };

/** Where the player stands. */
export interface PlayerState {
  readonly file: string;
  /** Seconds; the duration is 0 while nobody knows it. */
  readonly time: number;
  readonly duration: number;
  /** What `play` takes to start the film from the search on; empty when nobody knows. Holds no secret. */
  readonly origin: string;
  /** PlayItem.mark; empty when there is none. */
  readonly mark: string;
  /** PlayItem.title; absent when nobody knows. */
  readonly title?: string;
}

/** What the service leaves to a call that it makes itself. Holds no secret. */
export interface ReplayRequest {
  /** The release that played before (ResumeKey.release); empty when nobody knows. */
  readonly release: string;
  /** Seconds from the film's start to where it goes on. */
  readonly position: number;
}

/** The media centre's player, for the service. */
export interface ServicePlayer {
  /** What it plays now, or undefined. */
  state(): Promise<PlayerState | undefined>;
  /**
   * Plays a URL of ours from `position` (seconds) on. What played under that URL before keeps its title and pictures, or
   * takes those of what `like` names, with a mark of its own (PlayItem.mark). @throws HOST_FAILED also while another film
   * starts.
   */
  play(url: string, position: number, like?: { readonly url: string; readonly mark: string }): Promise<void>;
  /** Plays an `origin` from its search on; the call that this makes hears of it (Host.takeReplayRequest). @throws as play */
  replay(origin: string, recall: ReplayRequest): Promise<void>;
  /** Ends that film; anything else plays on. */
  stop(url: string): Promise<void>;
  /**
   * Nothing takes a broken film's place: what was to follow it is the person's again, and is not played by itself. Does not
   * wait for that: the call that sets it aside may come yet.
   */
  releaseQueue(): void;
}

/** What is told in passing. */
export interface Message extends Explanation {
  /** How bad it is; absent: something has failed. */
  readonly level?: 'info' | 'warning';
}

/** A film as the media centre was told of it when it was handed over. JSON; holds no secret. */
export interface HandedOverFilm {
  /** As those of PlayerState. */
  readonly origin: string;
  readonly mark: string;
  readonly title?: string;
  readonly [field: string]: unknown;
}

/** What the media centre was told of films: it is lost when another one is handed over, and goes when it is forgotten. */
export interface HandedOverFilms {
  /** Of the film under that URL; undefined when another one was handed over since. */
  of(url: string): Promise<HandedOverFilm | undefined>;
  /** From now on that URL stands for a film that was known before. @throws HOST_FAILED for what is none */
  restore(url: string, film: HandedOverFilm): Promise<void>;
  /** It is over: nothing of it is left for others to read, unless another one was handed over since. */
  forget(url: string): Promise<void>;
}

/** The face that the media centre shows to the service process. */
export interface ServiceHost {
  readonly dataFolder: string;
  /** Aborts when the host ends. */
  readonly aborted: AbortSignal;
  readSettings(ids: readonly string[]): Promise<Readonly<Record<string, string>>>;
  readonly properties: Properties;
  readonly files: HostFiles;
  /** Other add-ons; absent where there are none. */
  readonly addons?: Pick<OtherAddons, 'dataFolder'>;
  /** Tells it in passing. Does not wait until it is read. */
  notify(message: Message): Promise<void>;
  /** The player was refused a stream of ours just now: what the media centre itself says of that is to go. */
  streamRefused(): void;
  /** As Host's, for what the person waits for while nothing plays. */
  openProgress(title: string): Promise<ProgressDisplay>;
  /** Shows a text until the person goes on, or until something is played; does not wait for that. */
  show(page: TextPage): Promise<void>;
  readonly player: ServicePlayer;
  readonly films: HandedOverFilms;
  /** Where to listen: an inherited socket, a port to take again, or any free port (0). */
  readonly listen: { readonly fd: number } | { readonly port: number };
  /** What the engine before this one left, when this one replaces it. */
  readonly snapshot: unknown;
  /** Hands over what a replacement would need. Kept in memory only. */
  saveSnapshot(snapshot: unknown): Promise<void>;
  onPlayerEvent(listener: (event: PlayerEvent) => void): void;
  /**
   * Asks, when the player has read to an end and before a playlist goes on, whether a film of ours has broken off there:
   * then the playlist waits for what takes its place.
   */
  onPlayedToEnd(isBrokenOff: () => boolean): void;
  /** Calls back when settings have been stored, by whomever; they may be the same as before. */
  onSettingsChanged(listener: () => void): void;
}
