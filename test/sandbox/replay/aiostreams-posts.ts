import { DirectPost } from '../../../sandbox/direct-stream/post.ts';
import { post, video } from './lab.ts';
import type { Exchange } from './transcript.ts';

/** A release as recorded rows and search results tell of it. */
interface Told {
  readonly url?: string;
  readonly description?: string;
  readonly age?: number;
  readonly streamData?: { readonly age?: number };
  readonly filename?: string;
  readonly size?: number;
  readonly folderSize?: number | null;
  readonly behaviorHints?: Pick<Told, 'filename' | 'folderSize'> & { readonly videoSize?: number };
}

export interface RecordedPost {
  readonly post: DirectPost;
  readonly isOpened: boolean;
}

/** The posts that an answer lists, in its order. */
export function recordedPosts({ request, answer: { body } }: Exchange): readonly RecordedPost[] {
  const text = body.kind === 'text' && body.text.startsWith('{') ? body.text : '{}';
  const { streams, data } = JSON.parse(text) as { streams?: Told[]; data?: { results?: Told[] } | null };
  const id = /(?:\/|id=)(tt\d+)/.exec(request.target)?.[1] ?? '';
  return (streams ?? data?.results ?? [])
    .filter(({ url }) => url !== undefined)
    .map((told) => postOf(told, id, request.target.includes('series')));
}

const playInfo = (url: string) => {
  const part = url.split('/').find((each) => each.startsWith('eyJ0'))!;
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as {
    readonly nzb: string;
    readonly title: string;
    readonly index: number;
  };
};

function postOf(told: Told, imdb: string, isShow: boolean): RecordedPost {
  const { nzb, title, index } = playInfo(told.url!);
  const isOpened = index >= 0;
  const { filename = title, folderSize } = { ...told, ...told.behaviorHints };
  const file = told.behaviorHints?.videoSize ?? told.size ?? 0;
  const inner = isOpened ? filename : `${title}.mkv`;
  const days = Number(/📅 ?(\d+)d/.exec(told.description ?? '')?.[1] ?? 0);
  const age = told.age ?? told.streamData?.age ?? days * 24;
  const names = isShow ? [1, 2, 3].map((n) => inner.replace(/(?<=S01)(?:E\d\d)?/, `E0${n}`)) : [inner];
  return {
    isOpened,
    post: new DirectPost(
      post(title, {
        of: {
          kind: isShow ? 'show' : 'movie',
          title: isShow ? 'Real Show' : 'Real Film',
          year: 2024,
          imdb,
          tmdb: '',
        },
        guid: new URL(nzb).searchParams.get('id')!,
        size: folderSize ?? file,
        posted: new Date(Date.now() - (age + 0.5) * 3_600_000).toISOString(),
        videos: names.map((name) => ({ ...video(name, file), seconds: 120 })),
        ...(isShow && { season: 1 }),
      }),
    ),
  };
}

/** The two that are played. */
export const played = (imdb: string): readonly DirectPost[] => {
  const own = (guid: string, title: string, size: number) =>
    new DirectPost(
      post(title, {
        guid,
        size,
        videos: [video(`${title}.mkv`, size)],
        of: { kind: 'movie', title: 'Real Film', year: 2024, imdb, tmdb: '' },
      }),
    );
  const gone = own('gone', 'Real.Film.2024.1080p.WEB.h264-GONE', 120_000_000);
  gone.nzb = 'gone';
  return [own('plain', 'Real.Film.2024.1080p.WEB-DL.DDP5.1.H.264-PLAIN', 167_777_178), gone];
};
