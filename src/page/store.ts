import type { Address } from '../net/address.ts';
import { type Block, blockHas } from './block.ts';
import { partOf } from './cells.ts';
import { type AddressChange, changesBetween } from './changes.ts';
import type { PictureIndex, Space } from './picture-index.ts';
import { spaceBlocks, usedBlock } from './space-blocks.ts';

/** What of a picture somebody looks at. */
export interface View {
  /** The pool's name and the family that the map shows. */
  readonly space: { readonly pool: string; readonly family: Space['family'] } | undefined;
  /** From the whole block to the one that is shown. */
  readonly trail: readonly Block[];
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
  #changes: ReadonlyMap<string, AddressChange>;
  #view: View = { space: undefined, trail: [], selected: undefined, query: '', page: 0 };
  readonly before: PictureIndex | undefined;
  readonly #listeners: ((changed: Changed) => void)[] = [];

  constructor(index: PictureIndex, before: PictureIndex | undefined) {
    this.#index = index;
    this.before = before;
    this.#changes = before ? changesBetween(before, index) : new Map();
    const first = index.spaces[0];
    if (first) this.#view = { ...this.#view, ...viewOf(first, spaceBlocks(first)[0]) };
  }

  get index(): PictureIndex {
    return this.#index;
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

  /** Shows another picture and keeps what is looked at. */
  replace(index: PictureIndex): void {
    this.#index = index;
    this.#changes = this.before ? changesBetween(this.before, index) : new Map();
    this.#tell('picture');
  }

  /** The space that the map shows, in one of the pictures. */
  spaceIn(index: PictureIndex): Space | undefined {
    const { space } = this.#view;
    return index.spaces.find(
      ({ pool, family }) => pool.pool === space?.pool && family === space.family,
    );
  }

  /** Shows a block of a pool from above. */
  open(space: Space, block: Block | undefined): void {
    this.look(viewOf(space, block));
  }

  /** Selects an address and shows the part of the map that it lies in. */
  show(address: Address, text: string): void {
    const space = this.#index.spaceOf(address) ?? this.before?.spaceOf(address);
    const whole = space && spaceBlocks(space).find((block) => blockHas(block, address));
    const path =
      space && whole ? { ...viewOf(space, whole), trail: trailTo(space, whole, address) } : {};
    this.look({ selected: text, ...path });
  }

  #tell(changed: Changed): void {
    for (const listener of this.#listeners) listener(changed);
  }
}

function viewOf(space: Space, block: Block | undefined): Pick<View, 'space' | 'trail'> {
  const { pool, family } = space;
  return { space: { pool: pool.pool, family }, trail: block ? [block] : [] };
}

function trailTo(space: Space, whole: Block, { value }: Address): readonly Block[] {
  const trail = [whole];
  for (let part = partOf(whole, value); part; ) {
    const next = usedBlock(space, part);
    const shown = blockHas(next, { family: part.family, value }) ? next : part;
    trail.push(shown);
    part = partOf(shown, value);
  }
  return trail;
}
