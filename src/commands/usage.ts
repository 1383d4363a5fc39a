/** What the command line understands; no line is longer than 79 characters. */
export const USAGE = `Usage: slipstream setup [options]
       slipstream test [service] [options]
       slipstream play <title> [options]
       slipstream names < FILE
       slipstream --help | --version

setup leads from nothing to a film that plays, and goes on where it was left.

test tries all that is set up, or one service by its name (nzbdav, InfiniDysk,
AltMount, NZBGet, StreamNZB, AIOStreams, Prowlarr, NZBHydra2, Indexer, TMDb),
and says what is wrong.

play searches your indexers, lets you choose a release, waits until your
backend has it ready, prints a local URL and serves it until Ctrl-C, or until
the player that it started has ended.

names reads release names, one a line, and prints what each tells as JSON.

Options of play:

  --year Y          the film's year, or the one in which the show began
  --season S        with --episode: the episode of a show
  --episode E       with --season
  --imdb ttN        id at IMDb
  --tmdb N          id at TMDB
  --tvdb N          id at TheTVDB
  --pick            show the list and ask, whatever the settings say
  --best            take the best release, whatever the settings say

Options of setup, test and play:

  --player COMMAND  start this player with the URL as its last argument
  --settings FILE   a JSON object of settings; needs mode 600, as it holds keys
                    (default: ~/.config/slipstream/settings.json)
  --data FOLDER     where to remember things
                    (default: ~/.local/share/slipstream)
  --verbose         tell about every step

Example: slipstream play "Sintel" --year 2010 --player "mpv --fs"

The exit status is 0 when it went well, 1 when something failed, 2 when the
arguments make no sense and 130 when you cancelled.
`;
