import * as v from 'valibot';
import { FileName, FileSize, HttpUrl, OpeningShape, ServingShape, SourceHeaders } from '../source/schemas.ts';

/** The body of POST /prepare. */
export const PrepareRequest = v.object({
  url: HttpUrl,
  headers: v.optional(SourceHeaders, {}),
  name: FileName,
  serving: v.exactOptional(ServingShape),
  /** The url is one that a service gave to be played. The name is then that of the release, and of the file where it tells none. */
  opening: v.exactOptional(OpeningShape),
  /** For the service, when the address has died: opaque here. */
  listed: v.optional(v.unknown()),
  /** It did not lead to the file that it was listed for: its list is asked first. */
  anew: v.exactOptional(v.literal(true)),
  /** What the backend says; the server of the file has the last word. */
  size: v.optional(FileSize),
  /** Beside the video, with the same headers. */
  subtitles: v.optional(v.array(v.unknown()), []),
  /** For the service, when the film breaks off: opaque here. */
  plan: v.optional(v.unknown()),
});

export type PrepareRequest = v.InferOutput<typeof PrepareRequest>;
