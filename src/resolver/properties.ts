/** The home-window properties by which the plugin process and the service meet, by their exact names. */
export const PROPERTY = {
  /** Port of the proxy; written by the service. */
  proxyPort: 'svc.proxy_port',
  /** What /prepare asks for; written by the service. */
  proxyToken: 'svc.proxy_token',
  /** "true" while a stream is being set up or played; raised by the resolver, lowered by whoever ends it (active.ts). */
  active: 'svc.active',
  /** The URL being played; empty until it is handed over. Written by the resolver, cleared after the end by the service. */
  streamUrl: 'svc.stream_url',
  /** "true" while the service monitors the stream. */
  playing: 'svc.playing',
} as const;
