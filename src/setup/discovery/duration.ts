/** How long a look around the network takes, in words: the one place from which every text has it (find.test.ts). */
export const SCAN_DURATION_TEXT = 'about half a minute';
