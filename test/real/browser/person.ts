import type { BrowserPage } from './browser.ts';
import { button, card, field } from './by-words.ts';

/** What a person does at the page of the set-up, who goes by what it says. */
export const personAt = (page: BrowserPage) => ({
  /** Presses what an expression of by-words.ts finds. */
  click: (element: string) => page.evaluate(`${element}.click()`),
  open: (title: string) => page.evaluate(`${card(title)}.open = true`),
  /** Replaces what stands in a field. */
  fill: async (title: string, label: string, text: string) => {
    await page.evaluate(
      `(() => { ${card(title)}.open = true; const input = ${field(title, label)}; input.focus(); input.select(); })()`,
    );
    if (text === '') await page.press('Delete');
    else await page.type(text);
  },
  choose: (title: string, label: string, option: string) =>
    page.evaluate(
      `(() => { const list = ${field(title, label)}; list.value = [...list.options].find((each) => each.text === ${JSON.stringify(option)}).value; list.dispatchEvent(new Event('input', { bubbles: true })); })()`,
    ),
  value: (title: string, label: string) => page.evaluate<string>(`${field(title, label)}.value`),
  /** Tests a card, and waits for what comes of it. */
  test: async (title: string) => {
    await page.evaluate(`${button('Test', card(title))}.click()`);
    await page.until(
      `${card(title)}.querySelector('.checks, .note.bad, [aria-invalid]') && !${card(title)}.querySelector('.spinner')`,
    );
  },
  /** What is said of each field that is marked as wrong, by its label. */
  marked: (title: string) =>
    page.evaluate<Record<string, string>>(
      `Object.fromEntries([...${card(title)}.querySelectorAll('[aria-invalid]')].map((input) => [input.labels[0].firstChild.textContent, document.getElementById(input.getAttribute('aria-describedby').split(' ')[0]).textContent]))`,
    ),
  words: (element: string) => page.evaluate<string>(`${element}.innerText`),
  /** Where the focus is: the words of its label, or its own. */
  focused: () =>
    page.evaluate<string>(
      `(document.activeElement.labels?.[0]?.firstChild.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()`,
    ),
});
