import { type Child, element } from './dom.ts';

/** Pixels between the tip and what it describes, and between the tip and the edge of the window. */
const gap = 10;

/** The one tip of the page. It repeats for the eye what the described element's name has. */
class Tip {
  readonly #part = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: true });
  #beside: Element | undefined;

  constructor() {
    addEventListener('scroll', () => this.#place(), { passive: true, capture: true });
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.hide();
    });
  }

  /** Shows the tip beside an element, on the side with more room. */
  show(beside: Element, ...children: readonly Child[]): void {
    if (!this.#part.isConnected) document.body.append(this.#part);
    this.#part.replaceChildren(...element('div', {}, ...children).childNodes);
    this.#part.hidden = false;
    this.#beside = beside;
    this.#place();
  }

  hide(): void {
    this.#part.hidden = true;
    this.#beside = undefined;
  }

  /** Follows the element while the page scrolls, until that is out of sight. */
  #place(): void {
    if (!this.#beside) return;
    const at = this.#beside.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    if (at.bottom < 0 || at.top > clientHeight || at.width === 0) {
      this.hide();
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = this.#part;
    const isLeft = at.right + gap + width > clientWidth;
    const x = isLeft ? Math.max(gap, at.left - gap - width) : at.right + gap;
    const isNarrow = width + 2 * gap > clientWidth - at.width;
    const below = at.bottom + gap + height > clientHeight ? at.top - gap - height : at.bottom + gap;
    const y = isNarrow ? below : at.top + at.height / 2 - height / 2;
    const top = Math.max(gap, Math.min(y, clientHeight - height - gap));
    this.#part.style.transform = `translate(${Math.round(x)}px, ${Math.round(top)}px)`;
  }
}

export const tip = new Tip();
