import { FRAMES_PER_SECOND, SAMPLE_RATE, SAMPLES_PER_AUDIO_FRAME, SEED_SECONDS, seed } from './seed.ts';

/** One second of the seed: a closed group of pictures and the audio frames that begin within it. */
export interface Second {
  readonly video: readonly Uint8Array[];
  readonly audio: readonly Uint8Array[];
  /** Number of the first audio frame, counted within the eight seconds. */
  readonly firstAudio: number;
}

/** 375 frames in eight seconds: after those, sound and picture stand together again. */
export const AUDIO_FRAMES_PER_SEED = (SEED_SECONDS * SAMPLE_RATE) / SAMPLES_PER_AUDIO_FRAME;

/** The eight seconds; second `n` of a clip is entry `n % 8`. */
export function seedSeconds(): readonly Second[] {
  const { video, audio } = seed();
  return Array.from({ length: SEED_SECONDS }, (_, n) => {
    const firstAudio = firstAudioFrame(n);
    return {
      video: video.slice(n * FRAMES_PER_SECOND, (n + 1) * FRAMES_PER_SECOND),
      audio: audio.slice(firstAudio, firstAudioFrame(n + 1)),
      firstAudio,
    };
  });
}

/** The first audio frame that begins at or after second `n`. */
function firstAudioFrame(n: number): number {
  return Math.ceil((n * SAMPLE_RATE) / SAMPLES_PER_AUDIO_FRAME);
}
