const OWN_STREAM_URL = /^http:\/\/127\.0\.0\.1:\d+\/(?:stream|hls)\//;

/** Whether our proxy serves this URL: then it holds no secret of a service. */
export function isOwnStreamUrl(url: string): boolean {
  return OWN_STREAM_URL.test(url);
}
