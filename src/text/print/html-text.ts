import { plain } from './plain.ts';

/** A text for HTML, in an element or in a quoted attribute. */
export function htmlText(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text that is HTML already. Only {@link html} makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template: HTML as it is, any other text escaped, lists of both. */
type Value = Html | string | number | readonly Html[];

/** HTML from a template. Values can stand between tags and in quoted attributes, and nowhere else. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const texts = values.map(valueText);
  return new Html(parts.map((part, index) => `${part}${texts[index] ?? ''}`).join(''));
}

/** No HTML at all. */
export const nothing = new Html('');

function valueText(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return htmlText(String(value));
  return value.map(({ text }) => text).join('');
}
