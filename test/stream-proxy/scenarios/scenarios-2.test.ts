import { testSeeds } from './suite.ts';

testSeeds(151, 300);
