import { addToGroup } from '../../../../core/model/order.ts';
import { formatAddress } from '../../../../core/net/address.ts';
import { type AddressComparison, changesIn, changeText, signs } from '../comparison.ts';
import { element, setAttributes } from '../dom.ts';
import type { PictureIndex, Space } from '../picture-index.ts';
import { type Changed, isChanged, type Store } from '../store.ts';
import { tip } from '../tip.ts';
import { cellText } from '../words.ts';
import { type Block, blockEnd, usedBlock } from './blocks.ts';
import { cellTip } from './cell-tip.ts';
import { type Cell, type Cells, sheetCells } from './cells.ts';
import {
  addressOf,
  blockLines,
  cellClasses,
  columnHeads,
  isAlike,
  isOf,
  originOf,
  type Point,
  placeWhere,
  rowClass,
  stepOf,
} from './grid-parts.ts';

const noCells: Cells = { columns: 0, rows: [], isCurve: false };

/**
 * Milliseconds that the pointer rests on a block before its owner is lit: an owner can have
 * addresses in hundreds of blocks.
 */
const restTime = 60;

/** One map: the cells of the block shown, in one of the store's pictures. */
export class MapGrid {
  /** The grid with the lines of its blocks over it. */
  readonly part: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #store: Store;
  readonly #indexOf: () => PictureIndex;
  #cells: Cells = noCells;
  #changes: readonly AddressComparison[] = [];
  #nodes: HTMLElement[][] = [];
  #places = new WeakMap<Element, Point>();
  #byOwner = new Map<string, HTMLElement[]>();
  #at: Point = { x: 0, y: 0 };
  #cameFrom: bigint | undefined;
  #waits: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store, indexOf: () => PictureIndex, label: string) {
    this.#store = store;
    this.#indexOf = indexOf;
    this.#grid = element('div', { role: 'grid', class: 'grid', 'aria-label': label });
    this.part = element('div', { class: 'frame' }, this.#grid);
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#grid.addEventListener('click', (event) => this.#onPointed(event, true));
    this.#grid.addEventListener('pointerover', (event) => this.#onPointed(event, false));
    this.#grid.addEventListener('focusin', (event) => this.#onPointed(event, false));
    for (const name of ['pointerleave', 'focusout']) {
      this.#grid.addEventListener(name, () => this.#unpoint());
    }
    this.#draw();
  }

  /** Updates the map after a change. In a new picture the keyboard position stays. */
  update(changed: Changed): void {
    if (changed === 'light') this.#light();
    else if (changed === 'picture') {
      this.#cameFrom = this.#cells.rows[this.#at.y]?.[this.#at.x]?.block.from;
      this.#draw();
    } else if (isChanged(changed, 'trail', 'colors')) this.#draw();
    else if (isChanged(changed, 'selected')) this.#mark();
  }

  /** The binary logarithm of the number of addresses of a cell. */
  get cellBits(): number {
    return this.#cells.rows[0]?.[0]?.block.bits ?? 0;
  }

  /** The most addresses in use of a cell. */
  get most(): number {
    return Math.max(0, ...this.#cells.rows.flat().map(({ held, retained }) => held + retained));
  }

  /** Sets the number of addresses in use that has the darkest color. */
  scale(most: number): void {
    this.#cells.rows.forEach((row, y) => {
      row.forEach(({ held, retained }, x) => {
        if (held + retained === 0) return;
        const share = (held + retained) / Math.max(1, most);
        this.#nodes[y]?.[x]?.style.setProperty('--share', `${Math.round(share * 100)}%`);
      });
    });
  }

  /** Shows the cells of the view; the focus stays here, if it was here. */
  #draw(): void {
    const hadFocus = this.#grid.contains(document.activeElement);
    const space = this.#space;
    const sheet = this.#store.view.trail.at(-1);
    const old = this.#cells;
    this.#changes = [...this.#store.changes.values()];
    this.#cells = space && sheet ? sheetCells(space, sheet, this.#store.detail) : noCells;
    this.#byOwner = new Map();
    if (!isAlike(old, this.#cells)) this.#lay();
    this.#cells.rows.forEach((row, y) => {
      for (const [x, cell] of row.entries()) this.#dress(this.#nodes[y]?.[x], cell);
    });
    this.#grid.classList.toggle('six', space?.family === 'ipv6');
    this.#grid.classList.toggle('blocks', this.cellBits > 0);
    this.part.querySelector('.lines')?.remove();
    this.part.append(...blockLines(this.#cells, sheet));
    this.#rove(this.#startingPlace(), hadFocus);
    this.#light();
  }

  /** Puts a node for every cell into the grid. */
  #lay(): void {
    const { columns, rows, isCurve } = this.#cells;
    const grid = this.#grid;
    this.#places = new WeakMap();
    this.#nodes = rows.map((row, y) => row.map((_cell, x) => this.#node({ x, y })));
    grid.style.setProperty('--columns', String(columns));
    grid.classList.toggle('curve', isCurve);
    grid.classList.toggle('fine', columns > 16);
    grid.classList.toggle('tall', rows.length > 16 && !isCurve);
    grid.replaceChildren(
      ...columnHeads(this.#cells),
      ...this.#nodes.map((row, y) => this.#row(row, y)),
    );
  }

  get #space(): Space | undefined {
    return this.#store.spaceIn(this.#indexOf());
  }

  /** Marks the selected address. */
  #mark(): void {
    const { selected } = this.#store.view;
    this.#cells.rows.forEach((row, y) => {
      row.forEach((cell, x) => {
        const isSelected = isOf(cell, selected);
        this.#nodes[y]?.[x]?.setAttribute('aria-selected', String(isSelected));
        if (isSelected) this.#rove({ x, y });
      });
    });
  }

  /** Marks the addresses of the owner in light. */
  #light(): void {
    for (const node of this.#grid.querySelectorAll('.lit')) node.classList.remove('lit');
    const lit = this.#byOwner.get(this.#store.owner ?? '') ?? [];
    for (const node of lit) node.classList.add('lit');
    this.#grid.classList.toggle('lighting', lit.length > 0);
  }

  #node(place: Point): HTMLElement {
    const node = element('div', { role: 'gridcell', tabindex: -1 });
    this.#places.set(node, place);
    return node;
  }

  /** Gives a node what is shown and said of its cell. */
  #dress(node: HTMLElement | undefined, cell: Cell): void {
    if (!node) return;
    const { text: change, sign } = this.#changeIn(cell.block);
    const { colors, selected } = this.#store.view;
    const isDrained = cell.state === 'free' && this.#space?.pool.state === 'draining';
    const classes = [
      ...cellClasses(cell, colors),
      ...(isDrained ? ['drained'] : []),
      ...(change ? ['changed'] : []),
    ];
    const text = isDrained && cell.block.bits === 0 ? ', not given out: the pool is draining' : '';
    setAttributes(node, {
      class: classes.join(' '),
      'data-sign': sign,
      'aria-label': `${cellText(cell)}${text}${change ? `; ${change}` : ''}`,
      'aria-selected': String(isOf(cell, selected)),
    });
    for (const [own] of cell.owners) addToGroup(this.#byOwner, own, node);
  }

  #changeIn(block: Block): { readonly text?: string; readonly sign?: string } {
    const { changes } = this.#store;
    if (changes.size === 0) return {};
    if (block.bits === 0) {
      const change = changes.get(formatAddress({ ...block, value: block.from }));
      return change ? { text: changeText(change), sign: signs[change.kind] } : {};
    }
    const count = changesIn(this.#changes, block);
    return count === 0 ? {} : { text: `${count} changed` };
  }

  #row(nodes: readonly HTMLElement[], y: number): HTMLElement {
    const first = this.#cells.rows[y]?.[0];
    const row = element('div', { role: 'row', class: rowClass(this.#cells, y) });
    if (!this.#cells.isCurve && first) {
      const text = formatAddress({ ...first.block, value: first.block.from });
      row.append(element('div', { role: 'rowheader', class: 'rowhead' }, text));
    }
    row.append(...nodes);
    return row;
  }

  /** The cell of the block just left, of the selected address, or the first one in use. */
  #startingPlace(): Point {
    const { selected } = this.#store.view;
    const from = this.#cameFrom;
    this.#cameFrom = undefined;
    return (
      placeWhere(
        this.#cells,
        ({ block }) => from !== undefined && from >= block.from && from <= blockEnd(block),
      ) ??
      placeWhere(this.#cells, (cell) => isOf(cell, selected)) ??
      placeWhere(this.#cells, ({ held, retained }) => held + retained > 0) ?? { x: 0, y: 0 }
    );
  }

  #nodeAt(): HTMLElement | undefined {
    return this.#nodes[this.#at.y]?.[this.#at.x];
  }

  /**
   * Makes a cell the only one in the order of Tab. The focus goes before the old cell leaves that order: a browser lays out the
   * page at once when the focused element does. A cell that had the focus gets it anew, so that its new text is read.
   */
  #rove(place: Point, isFocused = false): void {
    const old = this.#nodeAt();
    this.#at = place;
    const node = this.#nodeAt();
    node?.setAttribute('tabindex', '0');
    if (isFocused && node === document.activeElement) node?.blur();
    if (isFocused) node?.focus();
    if (old !== node) old?.setAttribute('tabindex', '-1');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const last = { x: this.#cells.columns - 1, y: this.#nodes.length - 1 };
    const place = stepOf(event, this.#at, last);
    if (place) {
      this.#rove(this.#nodes[place.y]?.[place.x] ? place : this.#at, true);
    } else if (event.key === 'Enter' || event.key === ' ') this.#enter();
    else if (event.key === 'Escape') this.#leave();
    else return;
    event.preventDefault();
  }

  #onPointed(event: Event, isClick: boolean): void {
    const { target } = event;
    const place = target instanceof HTMLElement ? this.#places.get(target) : undefined;
    if (!(target instanceof HTMLElement) || !place) return;
    this.#point(target, place);
    if (event.type === 'pointerover') return;
    this.#rove(place);
    if (isClick) this.#enter();
  }

  /** Shows the tip of a cell, and lights the addresses of its owner. */
  #point(node: HTMLElement, { x, y }: Point): void {
    const cell = this.#cells.rows[y]?.[x];
    const space = this.#space;
    if (!cell || !space) return;
    tip.show(node, ...cellTip(cell, space, this.#changeIn(cell.block).text));
    clearTimeout(this.#waits);
    const light = () => this.#store.light(cell.owners[0]?.[0]);
    if (this.cellBits > 0) this.#waits = setTimeout(light, restTime);
    else light();
  }

  #unpoint(): void {
    tip.hide();
    clearTimeout(this.#waits);
    this.#store.light(undefined);
  }

  /** Opens a block, or selects an address. */
  #enter(): void {
    const cell = this.#cells.rows[this.#at.y]?.[this.#at.x];
    const { space } = this.#store;
    if (!cell || !space) return;
    if (cell.block.bits === 0) this.#store.look({ selected: addressOf(cell) });
    else {
      tip.hide();
      const origin = originOf(this.#at, this.#cells);
      this.#store.look({ trail: [...this.#store.view.trail, [usedBlock(space, cell.block)]] });
      this.#zoom(origin, 0.6);
    }
  }

  #leave(): void {
    const { trail } = this.#store.view;
    if (trail.length < 2) return;
    this.#cameFrom = trail.at(-1)?.[0]?.from;
    this.#store.look({ trail: trail.slice(0, -1) });
    this.#zoom(originOf(this.#at, this.#cells), 1.3);
  }

  /** Shows that the map went into a cell, or out to the one around it. */
  #zoom(transformOrigin: string, scale: number): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.part.style.transformOrigin = transformOrigin;
    const from = { transform: `scale(${scale})`, opacity: 0.3 };
    this.part.animate([from, { transform: 'none', opacity: 1 }], {
      duration: 180,
      easing: 'ease-out',
    });
  }
}
