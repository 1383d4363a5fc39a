export { createInterrupts, type Interrupts } from './interrupts.ts';
export { defaultDataFolder, defaultSettingsFile } from './settings-file.ts';
export { shellQuoted } from './shell-text.ts';
export { openTerminal } from './terminal.ts';
