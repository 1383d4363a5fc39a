import { allFacts } from './facts.ts';
import { type Phrase, says, saysExactly, type TagReader } from './tags.ts';

export const EDITION: readonly Phrase[] = [
  ...says(
    'weak',
    { editions: ["Director's Cut"] },
    'directors cut, director cut, directors edition, directors version, dircut, directorscut, dir cut, directors definitive cut, director s cut, director s edition, version del director, montaje del director, режиссерская версия, regie fassung, directors cut edition',
  ),
  ...says('late', { editions: ["Director's Cut"] }, 'dc'),
  ...says(
    'weak',
    { editions: ['Extended'] },
    'extended, extended cut, extended edition, extended version, extended directors, ext cut, langfassung, extended rogue cut, version longue, version extendue, extended collectors, version etendue, versione estesa, extendida, version extendida, langversion, расширенная версия',
  ),
  ...says('weak', { editions: ['Extended', "Director's Cut"] }, 'extended directors cut'),
  ...says(
    'weak',
    { editions: ['Theatrical'] },
    'theatrical, theatrical cut, theatrical edition, theatrical version, theatrical release, kinofassung, kinoversion, theatrical dub, version cinema',
  ),
  ...says('weak', { editions: ['Unrated'] }, 'unrated, unrated cut, unrated edition, unrated version'),
  ...says('weak', { editions: ['Unrated', "Director's Cut"] }, 'unrated directors cut'),
  ...says(
    'weak',
    { editions: ['Uncut'] },
    'uncut, uncut edition, uncut version, ungeschnitten, ungekuerzt, ungekurzt, fully uncut',
  ),
  ...says(
    'weak',
    { editions: ['Uncensored'] },
    'uncensored, uncen, decensored, unzensiert, sin censura, non censure, senza censura, without censorship',
  ),
  ...says(
    'weak',
    { editions: ['Remastered'] },
    'remastered, remaster, 4k remastered, 4k remaster, digitally remastered, remastered edition, 2k remastered, rm4k, remastered version, remasterisee, remasterise, remasterizado, remasterizada, rimasterizzato, remastered 4k',
  ),
  ...says('weak', { editions: ['IMAX'] }, 'imax, imax edition, imax enhanced, imax version'),
  ...says('weak', { editions: ['Open Matte'] }, 'open matte, openmatte'),
  ...says(
    'weak',
    { editions: ['Criterion'] },
    'criterion, criterion collection, the criterion collection, criterion edition',
  ),
  ...says('late', { editions: ['Criterion'] }, 'crit'),
  ...says(
    'weak',
    { editions: ['Special Edition'] },
    'special edition, spec ed, special edition cut, special extended, edicion especial, edizione speciale, edition speciale, special ed',
  ),
  ...saysExactly('late', { editions: ['Special Edition'] }, 'SE'),
  ...says('weak', { editions: ['Special Edition', 'Extended'] }, 'special extended edition'),
  ...says(
    'weak',
    { editions: ["Collector's Edition"] },
    'collectors edition, collector edition, collectors, collectors cut, collector s edition, edition collector, special collectors edition, limited collectors edition, collectors ed',
  ),
  ...says(
    'weak',
    { editions: ['Limited Edition'] },
    'limited edition, limited ed, edition limitee, ltd edition',
  ),
  ...says('weak', { editions: ['Ultimate'] }, 'ultimate cut, ultimate edition, ultimate version'),
  ...says('late', { editions: ['Ultimate'] }, 'ultimate'),
  ...says('weak', { editions: ['Ultimate', 'Extended'] }, 'ultimate extended edition'),
  ...says(
    'weak',
    { editions: ["Collector's Edition", 'Ultimate'] },
    'ultimate collectors edition, ultimate collector edition',
  ),
  ...says('weak', {}, 'versione integrale'),
  ...says('weak', { editions: ['Final Cut'] }, 'final cut, the final cut'),
  ...says('weak', { editions: ['Anniversary'] }, 'anniversary edition, anniversary, anniversary cut'),
  ...says('weak', { editions: ['Redux'] }, 'redux'),
  ...says('late', { editions: ['Restored'] }, 'restored, restoration'),
  ...says(
    'weak',
    { editions: ['Restored'] },
    '4k restored, 4k restoration, restored edition, restored version, restored cut, 2k restored, 2k restoration, 4k digital restoration, restored 4k, restaurado, restaurada, restauree, versione restaurata, digitally restored',
  ),
  ...says('weak', { editions: ['Superbit'] }, 'superbit'),
  ...says(
    'weak',
    { editions: ['Fan Edit'] },
    'fan edit, fanedit, fan cut, fan edition, fan restoration, fanedition, despecialized, despecialized edition, fan made',
  ),
  ...says(
    'weak',
    { editions: ['Colorized'] },
    'colorized, colourized, colorised, colourised, colorized version, colorised version, colorized edition',
  ),
  ...says(
    'weak',
    { editions: ['Alternative Cut'] },
    'alternative cut, alternate cut, alternate ending, alternative ending, alternate version, alternate, alternative version, alternate edition, alternative edition',
  ),
];

/** "CC" is a channel as well: it stands for Criterion only on a disc. */
const readCriterion: TagReader = (tokens, at) =>
  tokens[at]?.text === 'CC' && tokens.some(({ key }) => /^(?:bluray|blu|bdrip|dvdrip|dvd)$/.test(key))
    ? { from: at, to: at + 1, trust: 'late', facts: allFacts({ editions: ['Criterion'] }) }
    : undefined;

export const EDITION_READERS: readonly TagReader[] = [readCriterion];
