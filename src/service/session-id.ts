/** The session that a URL of ours names; anything may stand in a property that every add-on can write. */
export function sessionId(streamUrl: string): string | undefined {
  return URL.canParse(streamUrl) ? new URL(streamUrl).pathname.split('/')[2] : undefined;
}
