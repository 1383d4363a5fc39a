/** What an indexer is called as long as nobody has given it a name of its own. */
const NAMELESS = 'indexer';

/** As messages begin: "The indexer Example". */
export const indexerLabel = (name: string): string =>
  name.toLowerCase() === NAMELESS ? 'The indexer' : `The indexer ${name}`;
