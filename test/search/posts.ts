import type { Link, Posting } from '../../src/model/index.ts';

export interface PostFields extends Partial<Omit<Posting, 'link'>> {
  readonly guid?: string;
  readonly indexer?: string;
  readonly source?: string;
  readonly url?: string;
}

/** An invented post of an open film; only what matters to a test need be given. */
export function posting({
  guid = '1',
  indexer = 'Example',
  source = 'example',
  url,
  ...fields
}: PostFields = {}): Posting {
  const link: Link = { url: url ?? `http://${source}.example/get/${guid}`, guid, indexer, source };
  return { name: 'Sintel.2010.1080p.WEB.h264-INV', link, ...fields };
}
