/** Attribute values: false and undefined omit the attribute, true makes it empty. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The content of an element. Strings become text nodes, never HTML. */
export type Child = Node | string;

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Longest text that is shown in full; longer ones could fill the page. */
const mostCharacters = 1000;

/** Most texts are of these characters alone, which are all visible. */
const plainText = /^[ -~]*$/;

/**
 * Makes a text safe to show: invisible and direction-changing characters become `?`, and a very
 * long text is cut.
 */
function visible(text: string): string {
  const left = text.length - mostCharacters;
  const shown = left > 0 ? `${text.slice(0, mostCharacters)}… and ${left} characters more` : text;
  return plainText.test(shown) ? shown : shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
}

/** An element of HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  dress(made, attributes, children);
  return made;
}

/** An element of SVG. */
export function svg(
  name: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): Element {
  const made = document.createElementNS(svgNamespace, name);
  dress(made, attributes, children);
  return made;
}

/** Sets the attributes of an element that differ, so that the browser works only for what changed. */
export function setAttributes(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const isLeftOut = value === undefined || value === false;
    const text = isLeftOut ? null : value === true ? '' : visible(String(value));
    if (text === made.getAttribute(name)) continue;
    if (text === null) made.removeAttribute(name);
    else made.setAttribute(name, text);
  }
}

function dress(made: Element, attributes: Attributes, children: readonly Child[]): void {
  setAttributes(made, attributes);
  made.append(...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
}

/** A section with a heading that names it. */
export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  return element(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    ...children,
  );
}

/** A button that does something. */
export function button(text: string, attributes: Attributes, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', act);
  return made;
}

/**
 * Replaces the children of an element unless they are equal, so that screen readers do not repeat
 * them and the focus stays.
 */
export function refill(parent: Element, ...children: readonly Child[]): void {
  const next = element('div', {}, ...children);
  const shown = [...parent.childNodes];
  const isSame = shown.every((node, place) => node.isEqualNode(next.childNodes[place] ?? null));
  if (!isSame || shown.length !== next.childNodes.length)
    parent.replaceChildren(...next.childNodes);
}

/** Runs an update and restores the focus to the control with the same label in the same section. */
export function keepFocus(act: () => void): void {
  const { activeElement } = document;
  const key = activeElement && keyOf(activeElement);
  act();
  if (!key || activeElement.isConnected) return;
  const parts = document.querySelectorAll<HTMLElement>(`#${key.section} :is(button, select)`);
  [...parts].find((part) => keyOf(part)?.text === key.text)?.focus();
}

function keyOf(part: Element): { readonly section: string; readonly text: string } | undefined {
  const around = part.closest('section')?.id;
  const text = part.getAttribute('aria-label') ?? part.textContent;
  return around ? { section: around, text } : undefined;
}
