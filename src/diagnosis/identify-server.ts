import type { HttpResponse } from '../io/http-answer.ts';
import { type ProbeOptions, sendProbe } from './probe.ts';

/** What people have at home beside each other, and how it calls itself in the title of its page or the name of its login. */
const KNOWN_SERVERS: readonly (readonly [name: string, words: RegExp])[] = [
  ['NZBHydra2', /nzb ?hydra/i],
  ['Prowlarr', /\bprowlarr\b/i],
  ['Sonarr', /\bsonarr\b/i],
  ['Radarr', /\bradarr\b/i],
  ['Lidarr', /\blidarr\b/i],
  ['Readarr', /\breadarr\b/i],
  ['Jackett', /\bjackett\b/i],
  ['NZBGet', /\bnzbget\b/i],
  ['SABnzbd', /\bsabnzbd\b/i],
  ['nzbdav', /\bnzb ?dav\b/i],
  ['AltMount', /\baltmount\b/i],
  ['StreamNZB', /\bstreamnzb\b/i],
  ['UsenetStreamer', /\busenet ?streamer\b/i],
  ['AIOStreams', /\baiostreams\b/i],
  ['Jellyfin', /\bjellyfin\b/i],
  ['Emby', /\bemby\b/i],
  ['Plex', /\bplex\b/i],
  ['qBittorrent', /\bqbittorrent\b/i],
  ['Kodi', /\bkodi\b/i],
];

const MAX_REDIRECTS = 3;

/** Who serves the front page of an origin; undefined: nobody that is known. Rejects only when the signal aborts. */
export async function identifyServer(
  origin: string,
  { signal, timeout }: ProbeOptions,
): Promise<string | undefined> {
  try {
    const page = await sendProbe({ url: `${origin}/`, maxRedirects: MAX_REDIRECTS, signal, timeout });
    const said = identifyingText(page);
    return KNOWN_SERVERS.find(([, words]) => words.test(said))?.[0];
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Its title, the name of its login, and what it says of its software. */
function identifyingText(page: HttpResponse): string {
  const title = /<title[^>]{0,200}>([^<]{0,200})/i.exec(page.text())?.[1] ?? '';
  const { 'www-authenticate': login = '', server = '' } = page.headers;
  return [title, login, server].join(' ');
}
