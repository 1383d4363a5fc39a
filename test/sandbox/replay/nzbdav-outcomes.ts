import type { CatalogueRelease } from '../../../sandbox/index.ts';
import { post, video } from './lab.ts';

interface Outcome {
  /** Under which it was submitted. */
  readonly file: string;
  readonly release: CatalogueRelease;
  /** As it was recorded. */
  readonly id: string;
}

const ENCRYPTED = { kind: 'rar', password: 'geheim' } as const;

/** The releases of `25-history-outcomes`, the oldest first, without the two later copies of the last one. */
export const OUTCOMES: readonly Outcome[] = [
  outcome('Cap.Nofirst', '25e09947-c516-4afd-9f70-dffdaa130d5e', { lost: [0] }),
  outcome('Cap.Nolast', '486e2357-e6d1-4e31-818b-da2d645fbf09', { lost: [-1] }),
  outcome('Cap.Gone', '9e038dfe-5e08-45c8-8981-5ada04ee9166', { health: 'dead' }),
  outcome('Cap.Rarhole', 'b47f682e-c745-4a72-88bd-93d1e54d44c2', { archive: { kind: 'rar' }, lost: [0] }),
  outcome('Cap.Rarshort', 'dc6b2005-9b55-4081-9ef3-2e21c748a29c', {
    archive: { kind: 'rar', lacksVolume: 1 },
  }),
  outcome('Cap.Packed', '68d4ffdf-5386-4232-9054-259eb4cc3759', {
    archive: { kind: 'rar', compressed: true },
  }),
  outcome('Cap.Lzma', '11d983cc-2f0e-4b53-ad1f-09602979afe6', {
    archive: { kind: '7z', compressed: true },
  }),
  outcome('Cap.Sevpw', '38ffc47e-0521-4949-a078-67f9518581a8', {
    archive: { kind: '7z', password: 'geheim' },
  }),
  outcome('Cap.Secret', '7c966a76-0b99-4a95-9d23-0534e367fcac', { archive: ENCRYPTED }),
  outcome('Cap.Disc', 'b243f718-880f-4c99-abc6-fb66dae0f560', { videos: [video('disc.iso', 20_000_000)] }),
  outcome('Cap.Junk', 'a94528c7-74c4-4efe-b2b6-166d7ce77ec8', { videos: [video('notes.doc', 4_000_000)] }),
  outcome('Cap.Hidden', '29ab0c68-63b8-459f-909c-4c094662e71b', {
    videos: [video('6f1e5a0c9d', 40_000_000)],
  }),
  outcome('Cap.Obfus', 'dc7a2211-6c89-499f-ba51-6b8e635d767e', { archive: { kind: 'rar' } }),
  outcome('Cap.Wrongpass{{falsch}}', '0bd46c39-3332-412f-acac-46e20afba0a0', { archive: ENCRYPTED }),
  outcome('Cap.Rightpass{{geheim}}', '7b1e8e9e-6f5b-4383-beea-8e2535c83ce5', { archive: ENCRYPTED }),
  outcome('Cap.Sevright password=geheim', '261705e2-6e7a-4595-993f-86f0d1780729', {
    archive: { kind: '7z', password: 'geheim' },
  }),
  outcome('Cap.html', '5136fcfc-fe33-4d3c-ab02-16885d8ada5e', 'nothing'),
  outcome('Cap.empty', '34967eb4-3341-4879-bc38-0f743f8ac444', 'nothing'),
  outcome('Cap.Dup', '24ae756f-5a55-4f8f-aa70-404da8fbf609', {}),
];

function outcome(stem: string, id: string, like: Partial<CatalogueRelease> | 'nothing'): Outcome {
  const release = post(stem.replace(/\{\{.*| .*/, ''), like === 'nothing' ? { videos: [] } : like);
  return { file: `${stem}.nzb`, release, id };
}
