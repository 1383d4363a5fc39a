// What a person reads, as an expression that finds its element in the page.

/** A card by its title. */
export const card = (title: string) =>
  `[...document.querySelectorAll('details')].find((box) => box.querySelector('h3').textContent === ${JSON.stringify(title)})`;

/** A field of a card by its label. */
export const field = (title: string, label: string) =>
  `(() => { const label = [...${card(title)}.querySelectorAll('label')].find((each) => each.firstChild.textContent === ${JSON.stringify(label)}); return document.getElementById(label.htmlFor); })()`;

/** A button that is seen, by its words. */
export const button = (words: string, within = 'document') =>
  `[...${within}.querySelectorAll('button')].find((each) => each.textContent === ${JSON.stringify(words)} && each.offsetParent !== null)`;
