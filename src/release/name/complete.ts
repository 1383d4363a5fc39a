import { type Phrase, phrasesFor } from './tags.ts';

/** Says that it holds a whole season or series. */
export const COMPLETE: readonly Phrase[] = [
  ...phrasesFor(
    'strong',
    { complete: true },
    'complete series, the complete series, full season, full series, entire series, complete collection, complete box set, complete boxset, complete pack, season pack, all seasons, serie completa, serie complete, komplette serie, integrale serie, complete tv series, mini series complete, complete mini series, complete miniseries, полный сезон, все серии, все сезоны, entire season, whole season, complete tv, the complete collection, die komplette serie, la serie completa, сезон полностью, 完结, 全集打包, intégrale, volle staffel',
  ),
  ...phrasesFor(
    'weak',
    { complete: true },
    'complete, integrale, integral, completa, completo, komplett, komplet, komplette, compleet, batch, complet, complete batch, full pack, box set, boxset, volledig, полностью, 全集, 合集',
  ),
];
