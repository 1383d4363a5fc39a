import { hydraSource } from '../../../src/search/hydra/index.ts';
import { sourceContract } from '../../contracts/source.ts';

sourceContract('hydra', { dialect: 'hydra', make: hydraSource });
