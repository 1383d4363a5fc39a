/** What the number of channels may be glued to. */
export const AUDIO_PREFIXES: ReadonlySet<string> = new Set(
  'dd ddp dda ddpa ddplus dd+ ac3 eac3 aac heaac qaac dts dtshd dtsx dtsma dtshdma dtses ma hdma hd hra hr x es flac pcm lpcm opus truehd thd atmos mp3 plus alac digital vorbis'.split(
    ' ',
  ),
);
