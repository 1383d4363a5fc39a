/** How long a look around the network takes, in words: the one place from which every text has it (find.test.ts). */
export const LOOKING_TAKES = 'about half a minute';
