export { createInterrupts, type Interrupts } from './interrupts.ts';
export { defaultDataFolder, defaultSettingsFile } from './settings-file.ts';
export { openTerminal } from './terminal.ts';
