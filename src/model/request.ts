/** What the person wants to watch, as TMDbHelper (or the terminal) names it. Absent values are undefined. */
export interface MediaRequest {
  readonly kind: 'movie' | 'episode';
  /** The film's title; for an episode the show's. Never empty. */
  readonly title: string;
  readonly originalTitle?: string;
  /** What else it is called: in English, in other languages and alphabets, and before it was renamed. */
  readonly alternativeTitles?: readonly string[];
  /** The film's year; for an episode the year of the show's first broadcast. */
  readonly year?: number;
  /** Of a film: its first release, YYYY-MM-DD. */
  readonly premiered?: string;
  /** Ids of the film; for an episode those of the show. */
  readonly ids: MediaIds;
  /** Only for an episode. */
  readonly episode?: EpisodeNumber;
  /** The episode's number counted through all seasons, as anime is numbered. */
  readonly absoluteEpisode?: number;
  readonly anime?: boolean;
  /** Minutes that the film, or this episode, runs. */
  readonly runtime?: number;
  /** ISO 639-1. */
  readonly originalLanguage?: string;
  /** For display only. */
  readonly plot?: string;
  readonly poster?: string;
  readonly fanart?: string;
  /** A still of the episode, or of the film. */
  readonly thumb?: string;
  readonly clearlogo?: string;
}

export interface MediaIds {
  /** With its "tt". */
  readonly imdb?: string;
  readonly tmdb?: string;
  readonly tvdb?: string;
  readonly tvmaze?: string;
}

export interface EpisodeNumber {
  /** 0 for specials. */
  readonly season: number;
  readonly episode: number;
  /** The episode's own title. */
  readonly title?: string;
  /** First broadcast, YYYY-MM-DD. */
  readonly aired?: string;
  /** The episode's own ids. */
  readonly ids?: MediaIds;
}
