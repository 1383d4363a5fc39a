import {
  type Candidate,
  type Link,
  type Quality,
  type Release,
  UNKNOWN_QUALITY,
} from '../../src/model/index.ts';

const QUALITY: Quality = { ...UNKNOWN_QUALITY, title: 'Sintel' };

/** An invented release; only what matters to a test need be given. */
export function release(fields: Partial<Release> = {}, quality: Partial<Quality> = {}): Release {
  return {
    name: 'Sintel.2010.1080p.WEB.h264-INV',
    links: [link()],
    ...fields,
    quality: { ...QUALITY, ...quality },
  };
}

export const link = (fields: Partial<Link> = {}): Link => ({
  url: 'http://indexer.example/get/1',
  guid: '1',
  indexer: 'Example',
  source: 'example',
  ...fields,
});

export const candidate = (one: Release, rejections: readonly string[] = []): Candidate => ({
  release: one,
  rejections,
  formats: [],
  score: 0,
});
