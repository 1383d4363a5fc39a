import { type Phrase, says } from './tags.ts';

export const EDITION: readonly Phrase[] = [
  ...says(
    'weak',
    { editions: ["Director's Cut"] },
    'directors cut, director cut, directors edition, directors version, dircut, directorscut, dir cut, directors definitive cut',
  ),
  ...says('late', { editions: ["Director's Cut"] }, 'dc'),
  ...says(
    'weak',
    { editions: ['Extended'] },
    'extended, extended cut, extended edition, extended version, extended directors, ext cut, langfassung, extended rogue cut, version longue, version extendue, extended collectors',
  ),
  ...says('weak', { editions: ['Extended', "Director's Cut"] }, 'extended directors cut'),
  ...says(
    'weak',
    { editions: ['Theatrical'] },
    'theatrical, theatrical cut, theatrical edition, theatrical version, theatrical release, kinofassung',
  ),
  ...says('weak', { editions: ['Unrated'] }, 'unrated, unrated cut, unrated edition, unrated version'),
  ...says('weak', { editions: ['Unrated', "Director's Cut"] }, 'unrated directors cut'),
  ...says('weak', { editions: ['Uncut'] }, 'uncut, uncut edition, uncut version, ungeschnitten'),
  ...says('weak', { editions: ['Uncensored'] }, 'uncensored, uncen, decensored'),
  ...says(
    'weak',
    { editions: ['Remastered'] },
    'remastered, remaster, 4k remastered, 4k remaster, digitally remastered, remastered edition, 2k remastered',
  ),
  ...says('weak', { editions: ['IMAX'] }, 'imax, imax edition, imax enhanced, imax version'),
  ...says('weak', { editions: ['Open Matte'] }, 'open matte, openmatte'),
  ...says(
    'weak',
    { editions: ['Criterion'] },
    'criterion, criterion collection, the criterion collection, criterion edition',
  ),
  ...says('late', { editions: ['Criterion'] }, 'cc, crit'),
  ...says(
    'weak',
    { editions: ['Special Edition'] },
    'special edition, special edition cut, special extended',
  ),
  ...says('late', { editions: ['Special Edition'] }, 'se'),
  ...says('weak', { editions: ['Special Edition', 'Extended'] }, 'special extended edition'),
  ...says(
    'weak',
    { editions: ["Collector's Edition"] },
    'collectors edition, collector edition, collectors, collectors cut',
  ),
  ...says('weak', { editions: ['Limited Edition'] }, 'limited edition'),
  ...says(
    'weak',
    { editions: ['Ultimate'] },
    'ultimate cut, ultimate edition, ultimate collectors edition, ultimate version',
  ),
  ...says('late', { editions: ['Ultimate'] }, 'ultimate'),
  ...says('weak', { editions: ['Ultimate', 'Extended'] }, 'ultimate extended edition'),
  ...says('weak', { editions: ['Final Cut'] }, 'final cut, the final cut'),
  ...says('weak', { editions: ['Anniversary'] }, 'anniversary edition, anniversary, anniversary cut'),
  ...says('weak', { editions: ['Redux'] }, 'redux'),
  ...says('late', { editions: ['Restored'] }, 'restored, restoration'),
  ...says(
    'weak',
    { editions: ['Restored'] },
    '4k restored, 4k restoration, restored edition, restored version, restored cut, 2k restored, 2k restoration',
  ),
  ...says('weak', { editions: ['Superbit'] }, 'superbit'),
  ...says('weak', { editions: ['Fan Edit'] }, 'fan edit, fanedit, fan cut, fan edition, fan restoration'),
  ...says(
    'weak',
    { editions: ['Colorized'] },
    'colorized, colourized, colorised, colourised, colorized version',
  ),
  ...says(
    'weak',
    { editions: ['Alternative Cut'] },
    'alternative cut, alternate cut, alternate ending, alternative ending, alternate version, alternate, alternative version',
  ),
];

/** "25th Anniversary" is one tag: the number does not belong to the title. */
export const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)?$/;
