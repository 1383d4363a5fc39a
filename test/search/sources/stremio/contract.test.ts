import { stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { sourceContract } from '../../../contracts/source.ts';

sourceContract('stremio', { dialect: 'stremio', onlyPlays: true, make: stremioSource });
