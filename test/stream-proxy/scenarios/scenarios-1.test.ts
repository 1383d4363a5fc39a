import { testSeeds } from './suite.ts';

testSeeds(1, 150);
