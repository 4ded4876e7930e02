import type { Address } from '../net/address.ts';
import { rangeHas } from '../net/range.ts';
import {
  type AddressComparison,
  type BothSpaces,
  bothSpaces,
  changesBetween,
} from './comparison.ts';
import {
  blockHas,
  firstSheet,
  type Sheet,
  sheetHas,
  sheetText,
  spaceSheets,
  usedBlock,
} from './map/blocks.ts';
import { partOf } from './map/cells.ts';
import type { PictureIndex, Space } from './picture-index.ts';

/** The visible part of a picture. */
export interface View {
  /** The pool and family shown on the map. */
  readonly space: { readonly pool: string; readonly family: Space['family'] } | undefined;
  /** The path from the whole map to the part that is shown. */
  readonly trail: readonly Sheet[];
  /** The selected address, in canonical text. */
  readonly selected: string | undefined;
  readonly query: string;
  /** The page of the table, from 0. */
  readonly page: number;
}

/** The event for listeners: a new picture, or the changed parts of the view. */
export type Changed = 'picture' | Readonly<Partial<View>>;

/** The state of the page. Listeners are called when it changes. */
export class Store {
  #index: PictureIndex;
  #both: readonly BothSpaces[];
  #changes: ReadonlyMap<string, AddressComparison>;
  #view: View = { space: undefined, trail: [], selected: undefined, query: '', page: 0 };
  readonly before: PictureIndex | undefined;
  readonly #listeners: ((changed: Changed) => void)[] = [];

  constructor(index: PictureIndex, before: PictureIndex | undefined) {
    this.#index = index;
    this.before = before;
    this.#both = bothSpaces(before, index);
    this.#changes = before ? changesBetween(before, index) : new Map();
    this.#view = { ...this.#view, ...firstView(this.spaces) };
  }

  get index(): PictureIndex {
    return this.#index;
  }

  /** The spaces of the picture, and those that exist only in the one before. */
  get both(): readonly BothSpaces[] {
    return this.#both;
  }

  get spaces(): readonly Space[] {
    return this.#both.map(({ space }) => space);
  }

  /** The space shown on the map. */
  get space(): Space | undefined {
    return this.#shown?.space;
  }

  get view(): View {
    return this.#view;
  }

  /** By address; empty unless two states are compared. */
  get changes(): ReadonlyMap<string, AddressComparison> {
    return this.#changes;
  }

  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener);
  }

  look(view: Readonly<Partial<View>>): void {
    this.#view = { ...this.#view, ...view };
    this.#tell(view);
  }

  /** Shows another picture and keeps the view as far as it still exists. */
  replace(index: PictureIndex): void {
    this.#index = index;
    this.#both = bothSpaces(this.before, index);
    this.#view = { ...this.#view, ...this.#stillThere() };
    this.#changes = this.before ? changesBetween(this.before, index) : new Map();
    this.#tell('picture');
  }

  /**
   * The space shown on the map, in one of the two pictures; empty if that picture has no such pool.
   */
  spaceIn(index: PictureIndex): Space | undefined {
    const both = this.#shown;
    const side = index === this.before ? both?.was : both?.is;
    return side ?? (both && { ...both.space, ranges: [], reserved: [], records: [] });
  }

  /** Shows a pool's map from its top level. */
  open(space: Space, sheet: Sheet | undefined): void {
    this.look(viewOf(space, sheet));
  }

  /** Selects an address and shows the part of the map that contains it. */
  show(address: Address, text: string): void {
    const has = ({ ranges }: Space) => ranges.some((range) => rangeHas(range, address));
    const space = this.spaces.find(has);
    const whole = space && spaceSheets(space).find((sheet) => sheetHas(sheet, address));
    const path =
      space && whole ? { ...viewOf(space, whole), trail: trailTo(space, whole, address) } : {};
    this.look({ selected: text, ...path });
  }

  /** The view in a new picture: the same part, otherwise its map, otherwise the first map. */
  #stillThere(): Partial<View> {
    const { trail } = this.#view;
    const [from] = trail[0] ?? [];
    const { space } = this;
    if (!space || !from) return firstView(this.spaces);
    const sheets = spaceSheets(space);
    const whole = sheetText(trail[0] ?? []);
    if (sheets.some((sheet) => sheet[0]?.from === from.from && sheetText(sheet) === whole))
      return {};
    const address = { family: from.family, value: from.from };
    return viewOf(space, sheets.find((sheet) => sheetHas(sheet, address)) ?? firstSheet(space));
  }

  get #shown(): BothSpaces | undefined {
    const { space } = this.#view;
    return this.#both.find(
      ({ space: { pool, family } }) => pool.pool === space?.pool && family === space.family,
    );
  }

  #tell(changed: Changed): void {
    for (const listener of this.#listeners) listener(changed);
  }
}

/** The first map with an address in use, otherwise the first map. */
function firstView(spaces: readonly Space[]): Pick<View, 'space' | 'trail'> {
  const isUsed = ({ records }: Space) => records.some(({ state }) => state !== 'free');
  const first = spaces.find(isUsed) ?? spaces[0];
  return first ? viewOf(first, firstSheet(first)) : { space: undefined, trail: [] };
}

function viewOf(space: Space, sheet: Sheet | undefined): Pick<View, 'space' | 'trail'> {
  const { pool, family } = space;
  return { space: { pool: pool.pool, family }, trail: sheet ? [sheet] : [] };
}

function trailTo(space: Space, whole: Sheet, { value }: Address): readonly Sheet[] {
  const trail = [whole];
  const [block, ...others] = whole;
  if (!block || others.length > 0) return trail;
  for (let part = partOf(block, value); part; ) {
    const next = usedBlock(space, part);
    const shown = blockHas(next, { family: part.family, value }) ? next : part;
    trail.push([shown]);
    part = partOf(shown, value);
  }
  return trail;
}
