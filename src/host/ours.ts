const OURS = /^http:\/\/127\.0\.0\.1:\d+\//;

/** Whether our proxy serves this URL: then it holds no secret of a service. */
export function isOurs(url: string): boolean {
  return OURS.test(url);
}
