import { ProwlarrIndexer } from '../../../../sandbox/indexer/prowlarr/indexer.ts';
import { startIndexer } from '../../../../sandbox/indexer/start.ts';
import { prowlarrSource } from '../../../../src/search/sources/prowlarr/index.ts';
import { sourceContract } from '../../../contracts/source.ts';
import { singleMember } from '../../../support/single-member.ts';

sourceContract('an indexer behind Prowlarr', {
  dialect: 'prowlarr',
  listedAnew: true,
  start: (apiKey) =>
    startIndexer('prowlarr', {
      apiKey,
      behind: [new ProwlarrIndexer({ id: 3, name: 'Meadow' })],
      prowlarr: { times: { betweenQueries: 0, betweenTries: 0 } },
    }),
  make: singleMember(prowlarrSource),
});
