import { prowlarrSource } from '../../../src/search/prowlarr/index.ts';
import { sourceContract } from '../../contracts/source.ts';

sourceContract('prowlarr', { dialect: 'prowlarr', make: prowlarrSource });
