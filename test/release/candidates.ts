import type { Candidate, Quality, Release } from '../../src/model/index.ts';

export const QUALITY: Quality = { title: 'Sintel', hdr: [], audio: [], seasons: [], episodes: [] };

/** An invented release; only what matters to a test need be given. */
export function release(fields: Partial<Release> = {}, quality: Partial<Quality> = {}): Release {
  return {
    name: 'Sintel.2010.1080p.WEB.h264-INV',
    nzbUrl: 'http://indexer.example/get/1',
    guid: '1',
    indexer: 'Example',
    ...fields,
    quality: { ...QUALITY, ...quality },
  };
}

export const candidate = (one: Release, rejections: readonly string[] = []): Candidate => ({
  release: one,
  rejections,
});
