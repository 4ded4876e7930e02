import { formatAddress } from '../../net/address.ts';
import { type AddressComparison, changesIn, changeText, signs } from '../comparison.ts';
import { element } from '../dom.ts';
import type { PictureIndex } from '../picture-index.ts';
import type { Changed, Store } from '../store.ts';
import { cellText } from '../words.ts';
import { type Block, blockEnd, usedBlock } from './blocks.ts';
import { type Cell, type Cells, sheetCells } from './cells.ts';

const noCells: Cells = { columns: 0, rows: [], isCurve: false };

/** One map: the cells of the block shown, in one of the store's pictures. */
export class MapGrid {
  readonly grid: HTMLElement;
  readonly #store: Store;
  readonly #indexOf: () => PictureIndex;
  readonly #tell: (text: string) => void;
  #cells: Cells = noCells;
  #changes: readonly AddressComparison[] = [];
  #nodes: HTMLElement[][] = [];
  #at = { x: 0, y: 0 };
  #cameFrom: bigint | undefined;

  constructor(
    store: Store,
    indexOf: () => PictureIndex,
    label: string,
    tell: (text: string) => void,
  ) {
    this.#store = store;
    this.#indexOf = indexOf;
    this.#tell = tell;
    this.grid = element('div', { role: 'grid', class: 'grid', 'aria-label': label });
    this.grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.grid.addEventListener('click', (event) => this.#onPointed(event, true));
    this.grid.addEventListener('pointerover', (event) => this.#onPointed(event, false));
    this.grid.addEventListener('focusin', (event) => this.#onPointed(event, false));
    this.#draw();
  }

  /** Updates the map after a change. In a new picture the keyboard position stays. */
  update(changed: Changed): void {
    if (changed === 'picture') {
      this.#cameFrom = this.#cells.rows[this.#at.y]?.[this.#at.x]?.block.from;
      this.#draw();
    } else if (changed.trail) this.#draw();
    else if (changed.selected !== undefined) this.#mark();
  }

  /** Draws the cells anew; the focus stays here, if it was here. */
  #draw(): void {
    const hadFocus = this.grid.contains(document.activeElement);
    const space = this.#store.spaceIn(this.#indexOf());
    const sheet = this.#store.view.trail.at(-1);
    this.#changes = [...this.#store.changes.values()];
    this.#cells = space && sheet ? sheetCells(space, sheet) : noCells;
    this.#nodes = this.#cells.rows.map((row) => row.map((cell) => this.#node(cell)));
    this.grid.style.setProperty('--columns', String(this.#cells.columns));
    this.grid.classList.toggle('curve', this.#cells.isCurve);
    this.grid.classList.toggle('six', space?.family === 'ipv6');
    this.grid.classList.toggle('fine', this.#cells.columns > 16);
    this.grid.classList.toggle('tall', this.#cells.rows.length > 16 && !this.#cells.isCurve);
    this.grid.replaceChildren(
      ...columnHeads(this.#cells),
      ...this.#nodes.map((row, y) => this.#row(row, y)),
    );
    this.#at = this.#startingPlace();
    this.#nodeAt()?.setAttribute('tabindex', '0');
    if (hadFocus) this.#nodeAt()?.focus();
  }

  /** True when the cells are blocks of addresses. */
  get hasBlocks(): boolean {
    return (this.#cells.rows[0]?.[0]?.block.bits ?? 0) > 0;
  }

  /** Marks the selected address. */
  #mark(): void {
    const { selected } = this.#store.view;
    this.#cells.rows.forEach((row, y) => {
      row.forEach((cell, x) => {
        const isSelected = isOf(cell, selected);
        this.#nodes[y]?.[x]?.setAttribute('aria-selected', String(isSelected));
        if (isSelected) this.#rove(x, y);
      });
    });
  }

  #node(cell: Cell): HTMLElement {
    const { text: change, sign } = this.#changeIn(cell.block);
    const isMixed = cell.heldLevel > 0 && cell.heldLevel < cell.level;
    const mixed = isMixed ? ['mixed', `h${cell.heldLevel}`] : [];
    const levels = [cell.state, `l${cell.level}`, ...mixed];
    const classes = ['cell', ...levels, ...(change ? ['changed'] : [])];
    return element('div', {
      role: 'gridcell',
      tabindex: -1,
      class: classes.join(' '),
      'data-sign': sign,
      'aria-label': `${cellText(cell)}${change ? `; ${change}` : ''}`,
      'aria-selected': String(isOf(cell, this.#store.view.selected)),
    });
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
    const row = element('div', { role: 'row', class: this.#isApart(y) ? 'row apart' : 'row' });
    if (!this.#cells.isCurve && first) {
      const text = formatAddress({ ...first.block, value: first.block.from });
      row.append(element('div', { role: 'rowheader', class: 'rowhead' }, text));
    }
    row.append(...nodes);
    return row;
  }

  /** True when the row does not follow directly on the one above. */
  #isApart(y: number): boolean {
    const { rows, isCurve } = this.#cells;
    const [above, first] = [rows[y - 1]?.at(-1), rows[y]?.[0]];
    return !isCurve && !!above && !!first && blockEnd(above.block) + 1n !== first.block.from;
  }

  /** The cell of the block just left, of the selected address, or the first one in use. */
  #startingPlace(): { x: number; y: number } {
    const { selected } = this.#store.view;
    const from = this.#cameFrom;
    this.#cameFrom = undefined;
    return (
      this.#find(
        ({ block }) => from !== undefined && from >= block.from && from <= blockEnd(block),
      ) ??
      this.#find((cell) => isOf(cell, selected)) ??
      this.#find(({ held, retained }) => held + retained > 0) ?? { x: 0, y: 0 }
    );
  }

  #find(test: (cell: Cell) => boolean): { x: number; y: number } | undefined {
    for (const [y, row] of this.#cells.rows.entries()) {
      const x = row.findIndex(test);
      if (x >= 0) return { x, y };
    }
    return undefined;
  }

  #nodeAt(): HTMLElement | undefined {
    return this.#nodes[this.#at.y]?.[this.#at.x];
  }

  #rove(x: number, y: number): void {
    this.#nodeAt()?.setAttribute('tabindex', '-1');
    this.#at = { x, y };
    this.#nodeAt()?.setAttribute('tabindex', '0');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const last = { x: this.#cells.columns - 1, y: this.#nodes.length - 1 };
    const { x, y } = this.#at;
    const all = event.ctrlKey;
    const places: Readonly<Record<string, { x: number; y: number }>> = {
      ArrowLeft: { x: x - 1, y },
      ArrowRight: { x: x + 1, y },
      ArrowUp: { x, y: y - 1 },
      ArrowDown: { x, y: y + 1 },
      Home: { x: 0, y: all ? 0 : y },
      End: { x: last.x, y: all ? last.y : y },
      PageUp: { x, y: 0 },
      PageDown: { x, y: last.y },
    };
    const place = places[event.key];
    if (place) {
      if (this.#nodes[place.y]?.[place.x]) this.#rove(place.x, place.y);
      this.#nodeAt()?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') this.#enter();
    else if (event.key === 'Escape') this.#leave();
    else return;
    event.preventDefault();
  }

  #onPointed(event: Event, isClick: boolean): void {
    const { target } = event;
    if (!(target instanceof HTMLElement) || !target.classList.contains('cell')) return;
    this.#tell(target.getAttribute('aria-label') ?? '');
    if (event.type === 'pointerover') return;
    const y = this.#nodes.findIndex((row) => row.includes(target));
    this.#rove(this.#nodes[y]?.indexOf(target) ?? 0, y);
    if (isClick) this.#enter();
  }

  /** Opens a block, or selects an address. */
  #enter(): void {
    const cell = this.#cells.rows[this.#at.y]?.[this.#at.x];
    const { space } = this.#store;
    if (!cell || !space) return;
    if (cell.block.bits === 0) this.#store.look({ selected: addressOf(cell) });
    else this.#store.look({ trail: [...this.#store.view.trail, [usedBlock(space, cell.block)]] });
  }

  #leave(): void {
    const { trail } = this.#store.view;
    if (trail.length < 2) return;
    this.#cameFrom = trail.at(-1)?.[0]?.from;
    this.#store.look({ trail: trail.slice(0, -1) });
  }
}

/** True for the cell of this address. */
function isOf(cell: Cell, address: string | undefined): boolean {
  return cell.block.bits === 0 && addressOf(cell) === address;
}

function addressOf({ block }: Cell): string {
  return formatAddress({ family: block.family, value: block.from });
}

/** Column headers above rows of sixteen: the offset from the address at the start of the row. */
function columnHeads({ columns, rows, isCurve }: Cells): readonly HTMLElement[] {
  if (isCurve || columns < 16) return [];
  const radix = rows[0]?.[0]?.block.family === 'ipv6' ? 16 : 10;
  const heads = Array.from({ length: columns }, (_, column) =>
    element('div', { role: 'columnheader', class: 'colhead' }, `+${column.toString(radix)}`),
  );
  const corner = element('div', { role: 'columnheader', class: 'rowhead', 'aria-label': 'Row' });
  return [element('div', { role: 'row', class: 'row heads' }, corner, ...heads)];
}
