import { AUDIO_PREFIXES } from './audio-prefixes.ts';
import { allFacts } from './tag-facts.ts';
import { type Phrase, phrasesFor, type TagReader } from './tags.ts';

/** The sound: formats and channels. */
export const SOUND: readonly Phrase[] = [
  ...phrasesFor('weak', { audio: ['Atmos'] }, 'atmos'),
  ...phrasesFor('strong', { audio: ['Atmos'] }, 'dolby atmos, dolbyatmos'),
  ...phrasesFor('strong', { audio: ['Atmos', 'TrueHD'] }, 'truehda, thda, truehdatmos, atmostruehd'),
  ...phrasesFor(
    'strong',
    { audio: ['Atmos', 'DD+'] },
    'ddpa, ddp atmos, ddpatmos, dd+a, ddp+atmos, eac3atmos, ddpatm, ddp a',
  ),
  ...phrasesFor('strong', { audio: ['TrueHD'] }, 'truehd, true hd, dolby truehd, dolbytruehd, thd, mlp'),
  ...phrasesFor('strong', { audio: ['DTS:X'] }, 'dts x, dtsx, dts hd x, dtshdx, dts x ma'),
  ...phrasesFor(
    'strong',
    { audio: ['DTS-HD MA'] },
    'dts hd ma, dts hdma, dtshd ma, dtshdma, dts ma, dtsma, dts hd master audio, dts hd master, dts master audio',
  ),
  ...phrasesFor(
    'strong',
    { audio: ['DTS-HD HR'] },
    'dts hd hr, dts hd hra, dts hdhr, dts hdhra, dtshd hra, dtshd hr, dtshdhra, dtshdhr, dts hr, dts hra, dtshr, dts hd high resolution',
  ),
  ...phrasesFor('strong', { audio: ['DTS-HD'] }, 'dts hd, dtshd'),
  ...phrasesFor('strong', { audio: ['DTS'] }, 'dts, dts es, dtses, dts 96 24, dts express'),
  ...phrasesFor('strong', { audio: ['FLAC'] }, 'flac, flacx2, flacx3'),
  ...phrasesFor('strong', { audio: ['PCM'] }, 'lpcm'),
  ...phrasesFor('late', { audio: ['PCM'] }, 'pcm, wav'),
  ...phrasesFor('strong', { audio: ['ALAC'] }, 'alac'),
  ...phrasesFor(
    'strong',
    { audio: ['DD+'] },
    'ddp, dd+, eac3, e ac3, e ac 3, eac 3, ddplus, dd plus, dolby digital plus, dolby digital+, dolbydigitalplus, dolby d+, dolbyd+, ddp+, dd p',
  ),
  ...phrasesFor(
    'strong',
    { audio: ['DD'] },
    'ac3, ac 3, dolby digital, dolbydigital, dolby d, dd ex, ac3 ex, dolbyd',
  ),
  // As German groups write it: a dubbed track, of which "MD" and "LD" tell where it was taken.
  ...phrasesFor('strong', { audio: ['DD'], audioWord: true }, 'ac3d, ac3md, ac3ld'),
  ...phrasesFor('strong', { audio: ['DD+'], audioWord: true }, 'eac3d, ddpd'),
  ...phrasesFor('strong', { audio: ['DTS'], audioWord: true }, 'dtsd, dts d'),
  ...phrasesFor('late', { audio: ['DD'] }, 'dd'),
  ...phrasesFor(
    'strong',
    { audio: ['AAC'] },
    'aac, aacx2, he aac, heaac, qaac, aac lc, aaclc, aac he, xheaac, xhe aac, he aacv2, he aac v2, aac v2',
  ),
  ...phrasesFor('late', { audio: ['Opus'] }, 'opus'),
  ...phrasesFor('late', { audio: ['Vorbis'] }, 'vorbis, ogg vorbis, ogg'),
  ...phrasesFor('strong', { audio: ['MP3'] }, 'mp3'),

  ...phrasesFor('strong', { channels: '7.1' }, '8ch, 8 ch'),
  ...phrasesFor('strong', { channels: '5.1' }, '6ch, 6 ch'),
  ...phrasesFor('strong', { channels: '2.0' }, '2ch, 2 ch'),
  ...phrasesFor('late', { channels: '2.0' }, 'stereo'),
  ...phrasesFor('late', { channels: '1.0' }, 'mono, 1ch'),
];

const CHANNELS = new Set([
  '1.0',
  '2.0',
  '2.1',
  '3.0',
  '3.1',
  '4.0',
  '4.1',
  '5.0',
  '5.1',
  '6.0',
  '6.1',
  '7.0',
  '7.1',
  '9.1',
]);

/** "5.1": a word "5" and a word "1". With a blank between them ("DDP 5 1") only behind a format. */
const readChannels: TagReader = (tokens, at) => {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first?.key.length !== 1 || second === undefined) return undefined;
  // "5.1ch" is one channel count as well.
  const low = second.key.replace(/ch$/, '');
  const channels = `${first.key}.${low}`;
  if (!CHANNELS.has(channels)) return undefined;
  const dotted = second.sep === '.';
  const behindFormat = AUDIO_PREFIXES.has(tokens[at - 1]?.key ?? '');
  if (!dotted && !(behindFormat && (second.sep === ' ' || second.sep === '_'))) return undefined;
  return { from: at, to: at + 2, trust: behindFormat ? 'weak' : 'late', facts: allFacts({ channels }) };
};

export const SOUND_READERS: readonly TagReader[] = [readChannels];
