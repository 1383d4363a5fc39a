import { el, teller } from './dom.mjs';
import { NEW, sourceCard } from './source-card.mjs';
import { alsoCount, noteStored, tell } from './state.mjs';

/** What the list holds, each with what tests it, since the page was opened: for the test at the end. */
let saved = [];
export const savedSources = () => saved;

const EMPTY = { kind: 'newznab', name: '', url: '', enabled: true };

/** The list of further places to search. Each is saved for itself, or with the rest of the page. */
export function sourcesSection(told) {
  const list = el('div');
  /** Entered and not saved yet, by the place in the list. */
  const drafts = new Map();
  /** Places whose entry was saved since the page was opened. */
  let entered = new Set();
  let cards = [];
  let listed = [];
  const news = teller();
  /** Leaves the cards that stay what they are: somebody may be typing in one. */
  const draw = (sources, changed) => {
    listed = sources;
    const places = [...sources.map((source, index) => [index, source]), [NEW, EMPTY]];
    const before = new Map(cards.map((each) => [each.place, each]));
    const isKept = (each, source) =>
      each !== undefined && each.place !== changed && JSON.stringify(each.source) === JSON.stringify(source);
    cards = places.map(([place, source]) =>
      isKept(before.get(place), source)
        ? before.get(place)
        : sourceCard({ place, source, drafts, onSaved, onRemoved }),
    );
    cards.forEach(({ box }, index) => {
      if (list.children[index] !== box) list.insertBefore(box, list.children[index] ?? null);
    });
    while (list.children.length > cards.length) list.lastChild.remove();
    saved = cards.filter(({ place, source }) => entered.has(place) && source.enabled);
    tell();
  };
  /** Where the person was is drawn anew: they go on at the card there. */
  const goOnAt = (index, words) => {
    news.say(el('p', { class: 'note' }, words));
    if (document.activeElement === document.body) cards[index].box.querySelector('summary').focus();
  };
  const onSaved = (place, sources) => {
    drafts.delete(place);
    const index = place === NEW ? sources.length - 1 : place;
    entered.add(index);
    draw(sources, place);
    noteStored();
    goOnAt(index, `${sources[index].name} is saved on the TV.`);
  };
  const onRemoved = (gone, sources) => {
    const { name } = listed[gone];
    const moved = (place) => (place === NEW || place < gone ? place : place - 1);
    const left = [...drafts].filter(([place]) => place !== gone);
    drafts.clear();
    for (const [place, draft] of left) drafts.set(moved(place), draft);
    entered = new Set([...entered].filter((place) => place !== gone).map(moved));
    draw(sources);
    noteStored();
    goOnAt(gone, `${name} is removed from the TV.`);
  };
  const save = async () => {
    while (drafts.size > 0) {
      const [place] = drafts.keys();
      await cards.find((each) => each.place === place).save();
    }
  };
  draw(told);
  const resume = ({ sources }) => {
    // The list was changed on the TV meanwhile: what was entered for a place may be for another entry now.
    if (JSON.stringify(sources) !== JSON.stringify(listed)) {
      const lost = [...drafts.keys()].filter((place) => place !== NEW);
      for (const place of lost) drafts.delete(place);
      if (lost.length > 0) news.fail(CHANGED);
      cards = cards.filter(({ place }) => place === NEW);
    }
    draw(sources);
  };
  alsoCount({ count: () => drafts.size, save, resume });
  return el(
    'section',
    {},
    el('h2', {}, 'More places to search'),
    el('p', { class: 'lead' }, 'As many further indexers as you like.'),
    news.element,
    list,
  );
}

const CHANGED = {
  what: 'The list has been changed on the TV meanwhile. ',
  next: 'What you had changed in it and not saved is as it was; enter it again.',
};
