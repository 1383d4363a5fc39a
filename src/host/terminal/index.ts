export { createInterrupts, type Interrupts } from './interrupts.ts';
export { defaultDataFolder, defaultSettingsFile } from './settings-file.ts';
export { shellQuoted as quoted } from './shell-text.ts';
export { openTerminal } from './terminal.ts';
