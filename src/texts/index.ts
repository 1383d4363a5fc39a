// Every section of the catalogue: what the translation files and the tests read. The rooms import their own section.
import './errors.ts';

export { type CatalogueEntry, loadedSections } from './catalogue.ts';
