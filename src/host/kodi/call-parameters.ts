/** What a plugin:// call tells under a name; undefined also for what TMDbHelper writes when it does not know. */
export type CallParameters = (name: string) => string | undefined;

export function callParametersOf(call: string): CallParameters {
  const values = new URLSearchParams(call.slice(call.indexOf('?') + 1));
  return (name) => {
    const value = values.get(name)?.trim() ?? '';
    return ['', 'None', '_'].includes(value) ? undefined : value;
  };
}

/** The ids that TMDbHelper's calls carry. */
export const idsInCall = (parameter: CallParameters) => ({
  tmdb: parameter('tmdb'),
  imdb: parameter('imdb'),
  tvdb: parameter('tvdb'),
});
