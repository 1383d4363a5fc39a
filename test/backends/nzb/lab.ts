import { contentReader, type NzbContent } from '../../../src/backends/nzb/content.ts';
import { readNzbDocument } from '../../../src/backends/nzb/document.ts';
import { streamableNzb } from '../../../src/backends/nzb/streamable.ts';
import { yieldEvery } from '../../../src/io/wait.ts';
import type { MediaRequest, Release } from '../../../src/model/index.ts';
import { loadReleaseNameParser } from '../../../src/release/index.ts';
import { nzbBytes } from '../../support/nzb.ts';

export const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
export const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};

export const turns = () => yieldEvery(20, new AbortController().signal);

export async function contentOf(bytes: Uint8Array): Promise<NzbContent> {
  const reader = contentReader();
  const document = await readNzbDocument(bytes, turns(), reader.handlers);
  if (document.kind !== 'nzb') throw new Error(`no NZB: ${JSON.stringify(document)}`);
  return reader.content;
}

const parse = await loadReleaseNameParser();

export const releaseCalled = (name: string): Release => ({
  name,
  links: [{ url: '', guid: '', indexer: '', source: '' }],
  quality: parse(name),
});

/** What a backend that streams would be given, or what lacks. */
export async function streamable(
  parts: Parameters<typeof nzbBytes>,
  {
    request = FILM,
    name = 'Sintel.2010.1080p.BluRay.x264-DURIAN',
    password,
  }: { request?: MediaRequest; name?: string; password?: string } = {},
) {
  const nzb = await streamableNzb(
    await contentOf(nzbBytes(...parts)),
    { request, release: { ...releaseCalled(name), ...(password !== undefined && { password }) } },
    turns(),
  );
  return 'lacking' in nzb ? nzb : { ...nzb, content: await contentOf(nzb.bytes) };
}
