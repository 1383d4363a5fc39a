import { describe, expect, it } from 'vitest';
import { isNoticeName, isNoticeVideo } from '../../src/media/notice.ts';

const at = (path: string, size?: number) => isNoticeVideo(new URL(path, 'https://addon.example'), size);

describe('isNotice', () => {
  it.each([
    ['AltMount', '/stremio/abc123/no-streams.mp4'],
    ['UsenetStreamer', '/assets/failure_video.mp4'],
    ['Usenet-Ultimate', '/nzb_failure_video.mp4?v=2'],
    ['StreamNZB', '/error/failure.mp4'],
    ['AIOStreams', '/static/download_failed.mp4'],
    ['AIOStreams below a path', '/aio/static/429.mp4'],
    ['capitals', '/Error/FAILURE.MP4'],
  ])('knows those of %s, whatever their size', (_service, path) => {
    expect(at(path)).toBe(true);
    expect(at(path, 5_000_000_000)).toBe(true);
  });

  it('takes others for one where they are kept, when they are too small for a film', () => {
    expect(at('/static/come_back_later.mp4', 3_000_000)).toBe(true);
    expect(at('/static/come_back_later.mp4')).toBe(false);
    expect(at('/files/come_back_later.mp4', 3_000_000)).toBe(false);
  });

  it.each([
    '/static/Sintel.2010.1080p.mp4',
    '/static/films/429.mp4',
    '/no-streams.mp4/Sintel.mkv',
    '/play?file=failure_video.mp4',
  ])('lets films be films: %s', (path) => {
    expect(at(path, 900_000_000)).toBe(false);
    expect(at(path)).toBe(false);
  });
});

it('isNoticeName knows names that are no film anywhere', () => {
  expect(isNoticeName('Failure_Video.mp4')).toBe(true);
  expect(isNoticeName('429.mp4')).toBe(false);
});
