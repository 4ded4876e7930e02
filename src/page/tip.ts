import { type Child, element } from './dom.ts';

/** Pixels between the tip and what it describes, and between the tip and the edge of the window. */
const gap = 10;

/** The one tip of the page. It repeats for the eye what the described element's name has. */
class Tip {
  readonly #part = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: true });

  constructor() {
    addEventListener('scroll', () => this.hide(), { passive: true, capture: true });
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.hide();
    });
  }

  /** Shows the tip beside an element, on the side with more room. */
  show(beside: Element, ...children: readonly Child[]): void {
    if (!this.#part.isConnected) document.body.append(this.#part);
    this.#part.replaceChildren(...element('div', {}, ...children).childNodes);
    this.#part.hidden = false;
    const at = beside.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#part;
    const { clientWidth, clientHeight } = document.documentElement;
    const isLeft = at.right + gap + width > clientWidth;
    const x = isLeft ? Math.max(gap, at.left - gap - width) : at.right + gap;
    const isNarrow = width + 2 * gap > clientWidth - at.width;
    const y = isNarrow ? at.bottom + gap : at.top + at.height / 2 - height / 2;
    const top = Math.max(gap, Math.min(y, clientHeight - height - gap));
    this.#part.style.transform = `translate(${Math.round(x)}px, ${Math.round(top)}px)`;
  }

  hide(): void {
    this.#part.hidden = true;
  }
}

export const tip = new Tip();
