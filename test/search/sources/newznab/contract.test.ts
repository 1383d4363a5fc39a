import { newznabSource } from '../../../../src/search/sources/newznab/index.ts';
import { sourceContract } from '../../../contracts/source.ts';

sourceContract('newznab', { dialect: 'newznab', make: newznabSource });
