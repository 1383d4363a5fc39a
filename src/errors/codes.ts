/**
 * Every way that Slipstream can fail, as a stable code. The sentence says when it is used.
 * Codes are part of the interface: logs, tests and issue reports quote them, so none is ever renamed.
 */
export type ErrorCode =
  /** A parameter, setting or command line is missing or makes no sense. */
  | 'INVALID_REQUEST'
  /** Something that must be filled in before the first play is empty. */
  | 'NOT_CONFIGURED'
  /** Nothing answers at the address: refused, unreachable, unknown name. */
  | 'UNREACHABLE'
  /** The service took longer than its deadline. */
  | 'TIMEOUT'
  /** The service refused the key, user or password. */
  | 'AUTH_FAILED'
  /** The service asks for patience: quota used up, too many requests. */
  | 'RATE_LIMITED'
  /** The service answered with an error of its own. */
  | 'SERVICE_ERROR'
  /** The answer is not what the protocol allows: truncated, wrong shape, HTML where XML belongs. */
  | 'BAD_ANSWER'
  /** The answer is larger than anything legitimate. */
  | 'TOO_LARGE'
  /** The search found nothing at all, or a source could be asked nothing of this title. */
  | 'NO_RESULTS'
  /** The search found releases, and the filters rejected each of them. */
  | 'ALL_FILTERED'
  /** What the indexer delivered is no usable NZB. */
  | 'NZB_INVALID'
  /** The NZB lacks articles that the film needs, and the backend repairs nothing. */
  | 'NZB_INCOMPLETE'
  /** The backend did not take the NZB. */
  | 'SUBMIT_REFUSED'
  /** The backend reported that the job failed, or lost it. */
  | 'JOB_FAILED'
  /** The job was not ready before the person's time limit. */
  | 'JOB_TIMEOUT'
  /** The finished job holds no video that fits the request. */
  | 'NO_VIDEO'
  /** The file is there, but is a stub, or cannot be read where it was tried. */
  | 'DAMAGED'
  /** The service process (and so the local proxy) is not running. */
  | 'PROXY_ABSENT'
  /** The local proxy could not open the source. */
  | 'PREPARE_FAILED'
  /** Another start is still under way. */
  | 'BUSY'
  /** The host (Kodi) refused or broke off a call over the bridge. */
  | 'HOST_FAILED'
  /** A file of ours on disk cannot be read or written. */
  | 'STORE_FAILED'
  /** A defect of ours. */
  | 'INTERNAL';
