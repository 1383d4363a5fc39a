import fc from 'fast-check';

// Properties run on one seed in `npm test`, so that red means that something was broken, not that a rare case was met
// at last. `npm run properties` looks for those, with a fresh seed each round.
fc.configureGlobal({ seed: Number(process.env['SLIPSTREAM_PROPERTY_SEED'] ?? 20_261_121) });
