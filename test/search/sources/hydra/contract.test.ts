import { HydraIndexer } from '../../../../sandbox/indexer/hydra/indexer.ts';
import { startIndexer } from '../../../../sandbox/indexer/start.ts';
import { hydraSource } from '../../../../src/search/sources/hydra/index.ts';
import { sourceContract } from '../../../contracts/source.ts';
import { singleMember } from '../../../support/single-member.ts';

const behind = () => [new HydraIndexer({ name: 'Meadow' })];

sourceContract('an indexer behind NZBHydra2', {
  dialect: 'hydra',
  listedAnew: true,
  start: (apiKey) => startIndexer('hydra', { apiKey, hydraIndexers: behind() }),
  make: singleMember(hydraSource),
});

sourceContract('NZBHydra2 as a whole', {
  dialect: 'hydra',
  listedAnew: true,
  start: (apiKey) => startIndexer('hydra', { apiKey, hydra: { allowApiStats: false } }),
  make: singleMember(hydraSource),
});
