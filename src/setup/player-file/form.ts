/**
 * How TMDbHelper starts us. script: by a script, which plays by itself. resolvable: as a file of the media centre, which
 * then remembers and queues it as any other (protocols.md §9.4); with nothing behind an episode, with the next one by the
 * add-on Up Next, or with TMDbHelper's playlist of the next ones.
 */
export const FORMS = ['resolvable', 'resolvable-upnext', 'resolvable-playlist', 'script'] as const;

export type Form = (typeof FORMS)[number];
