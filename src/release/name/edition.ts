import { allFacts } from './tag-facts.ts';
import { exactPhrasesFor, type Phrase, phrasesFor, type TagReader } from './tags.ts';

export const EDITION: readonly Phrase[] = [
  ...phrasesFor(
    'weak',
    { editions: ["Director's Cut"] },
    'directors cut, director cut, directors edition, directors version, dircut, directorscut, dir cut, directors definitive cut, director s cut, director s edition, version del director, montaje del director, режиссерская версия, regie fassung, directors cut edition',
  ),
  ...phrasesFor('late', { editions: ["Director's Cut"] }, 'dc'),
  ...phrasesFor(
    'weak',
    { editions: ['Extended'] },
    'extended, extended cut, extended edition, extended version, extended directors, ext cut, langfassung, extended rogue cut, version longue, version extendue, extended collectors, version etendue, versione estesa, extendida, version extendida, langversion, расширенная версия',
  ),
  ...phrasesFor('weak', { editions: ['Extended', "Director's Cut"] }, 'extended directors cut'),
  ...phrasesFor(
    'weak',
    { editions: ['Theatrical'] },
    'theatrical, theatrical cut, theatrical edition, theatrical version, theatrical release, kinofassung, kinoversion, theatrical dub, version cinema',
  ),
  ...phrasesFor('weak', { editions: ['Unrated'] }, 'unrated, unrated cut, unrated edition, unrated version'),
  ...phrasesFor('weak', { editions: ['Unrated', "Director's Cut"] }, 'unrated directors cut'),
  ...phrasesFor(
    'weak',
    { editions: ['Uncut'] },
    'uncut, uncut edition, uncut version, ungeschnitten, ungekuerzt, ungekurzt, fully uncut',
  ),
  ...phrasesFor(
    'weak',
    { editions: ['Uncensored'] },
    'uncensored, uncen, decensored, unzensiert, sin censura, non censure, senza censura, without censorship',
  ),
  ...phrasesFor(
    'weak',
    { editions: ['Remastered'] },
    'remastered, remaster, 4k remastered, 4k remaster, digitally remastered, remastered edition, 2k remastered, rm4k, remastered version, remasterisee, remasterise, remasterizado, remasterizada, rimasterizzato, remastered 4k',
  ),
  ...phrasesFor('weak', { editions: ['IMAX'] }, 'imax, imax edition, imax enhanced, imax version'),
  ...phrasesFor('weak', { editions: ['Open Matte'] }, 'open matte, openmatte'),
  ...phrasesFor(
    'weak',
    { editions: ['Criterion'] },
    'criterion, criterion collection, the criterion collection, criterion edition',
  ),
  ...phrasesFor('late', { editions: ['Criterion'] }, 'crit'),
  ...phrasesFor(
    'weak',
    { editions: ['Special Edition'] },
    'special edition, spec ed, special edition cut, special extended, edicion especial, edizione speciale, edition speciale, special ed',
  ),
  ...exactPhrasesFor('late', { editions: ['Special Edition'] }, 'SE'),
  ...phrasesFor('weak', { editions: ['Special Edition', 'Extended'] }, 'special extended edition'),
  ...phrasesFor(
    'weak',
    { editions: ["Collector's Edition"] },
    'collectors edition, collector edition, collectors, collectors cut, collector s edition, edition collector, special collectors edition, limited collectors edition, collectors ed',
  ),
  ...phrasesFor(
    'weak',
    { editions: ['Limited Edition'] },
    'limited edition, limited ed, edition limitee, ltd edition',
  ),
  ...phrasesFor('weak', { editions: ['Ultimate'] }, 'ultimate cut, ultimate edition, ultimate version'),
  ...phrasesFor('late', { editions: ['Ultimate'] }, 'ultimate'),
  ...phrasesFor('weak', { editions: ['Ultimate', 'Extended'] }, 'ultimate extended edition'),
  ...phrasesFor(
    'weak',
    { editions: ["Collector's Edition", 'Ultimate'] },
    'ultimate collectors edition, ultimate collector edition',
  ),
  ...phrasesFor('weak', {}, 'versione integrale'),
  ...phrasesFor('weak', { editions: ['Final Cut'] }, 'final cut, the final cut'),
  ...phrasesFor('weak', { editions: ['Anniversary'] }, 'anniversary edition, anniversary, anniversary cut'),
  ...phrasesFor('weak', { editions: ['Redux'] }, 'redux'),
  ...phrasesFor('late', { editions: ['Restored'] }, 'restored, restoration'),
  ...phrasesFor(
    'weak',
    { editions: ['Restored'] },
    '4k restored, 4k restoration, restored edition, restored version, restored cut, 2k restored, 2k restoration, 4k digital restoration, restored 4k, restaurado, restaurada, restauree, versione restaurata, digitally restored',
  ),
  ...phrasesFor('weak', { editions: ['Superbit'] }, 'superbit'),
  ...phrasesFor(
    'weak',
    { editions: ['Fan Edit'] },
    'fan edit, fanedit, fan cut, fan edition, fan restoration, fanedition, despecialized, despecialized edition, fan made',
  ),
  ...phrasesFor(
    'weak',
    { editions: ['Colorized'] },
    'colorized, colourized, colorised, colourised, colorized version, colorised version, colorized edition',
  ),
  ...phrasesFor(
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
