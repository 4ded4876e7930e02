import type { Address } from '../net/address.ts';
import { rangeHas } from '../net/range.ts';
import { type AddressChange, type BothSpaces, bothSpaces, changesBetween } from './comparison.ts';
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

/** What of a picture somebody looks at. */
export interface View {
  /** The pool's name and the family that the map shows. */
  readonly space: { readonly pool: string; readonly family: Space['family'] } | undefined;
  /** From the whole map to the part of it that is shown. */
  readonly trail: readonly Sheet[];
  /** An address, in canonical text. */
  readonly selected: string | undefined;
  readonly query: string;
  /** Of the table, counted from 0. */
  readonly page: number;
}

/** What a part of the page is told: the picture is another one, or only what is looked at. */
export type Changed = 'picture' | Readonly<Partial<View>>;

/** What the page shows, and who wants to know when that changes. */
export class Store {
  #index: PictureIndex;
  #both: readonly BothSpaces[];
  #changes: ReadonlyMap<string, AddressChange>;
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

  /** Those of the picture, and those that only the one before has. */
  get both(): readonly BothSpaces[] {
    return this.#both;
  }

  get spaces(): readonly Space[] {
    return this.#both.map(({ space }) => space);
  }

  /** The one that the map shows. */
  get space(): Space | undefined {
    return this.#shown?.space;
  }

  get view(): View {
    return this.#view;
  }

  /** By address; none unless two states are compared. */
  get changes(): ReadonlyMap<string, AddressChange> {
    return this.#changes;
  }

  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener);
  }

  look(view: Readonly<Partial<View>>): void {
    this.#view = { ...this.#view, ...view };
    this.#tell(view);
  }

  /** Shows another picture and keeps what is looked at, as far as that is still there. */
  replace(index: PictureIndex): void {
    this.#index = index;
    this.#both = bothSpaces(this.before, index);
    this.#view = { ...this.#view, ...this.#stillThere() };
    this.#changes = this.before ? changesBetween(this.before, index) : new Map();
    this.#tell('picture');
  }

  /** The space that the map shows, in one of the pictures: without an address where that has no such pool. */
  spaceIn(index: PictureIndex): Space | undefined {
    const both = this.#shown;
    const side = index === this.before ? both?.was : both?.is;
    return side ?? (both && { ...both.space, ranges: [], reserved: [], records: [] });
  }

  /** Shows a map of a pool from above. */
  open(space: Space, sheet: Sheet | undefined): void {
    this.look(viewOf(space, sheet));
  }

  /** Selects an address and shows the part of the map that it lies in. */
  show(address: Address, text: string): void {
    const has = ({ ranges }: Space) => ranges.some((range) => rangeHas(range, address));
    const space = this.spaces.find(has);
    const whole = space && spaceSheets(space).find((sheet) => sheetHas(sheet, address));
    const path =
      space && whole ? { ...viewOf(space, whole), trail: trailTo(space, whole, address) } : {};
    this.look({ selected: text, ...path });
  }

  /** What is looked at, in another picture: the same part, else the map it was on, else what is seen first. */
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

/** The first map on which anything is in use, else the first of all. */
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
