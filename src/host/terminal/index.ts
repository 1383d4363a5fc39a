export { createInterrupts, type Interrupts } from './interrupts.ts';
export { defaultDataFolder, defaultSettingsFile } from './settings-file.ts';
export { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';
