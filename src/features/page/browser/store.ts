import type { Address } from '../../../core/net/address.ts';
import { type AddressRange, rangeHas } from '../../../core/net/range.ts';
import type { Plan } from '../../../core/run/plan/plan-answer.ts';
import {
  type AddressComparison,
  type BothSpaces,
  bothSpaces,
  changesBetween,
  type HostnameComparison,
  hostnameChangesBetween,
} from './comparison.ts';
import { type Sheet, sheetHas, sheetText, spaceSheets } from './map/blocks.ts';
import type { Detail } from './map/cells.ts';
import {
  firstMap,
  type MapView,
  mapOfAddress,
  mapOfRange,
  mapOfSheet,
  spaceWith,
} from './map/trail.ts';
import type { PictureIndex, Space } from './picture-index.ts';
import { pastIndex } from './timeline.ts';
import { plainView, type View } from './view.ts';

/** The event for listeners: a new picture, another owner in light, or the changed parts. */
export type Changed = 'picture' | 'light' | Readonly<Partial<View>>;

/** True when one of these parts of the view changed, or the whole picture. */
export function isChanged(changed: Changed, ...names: readonly (keyof View)[]): boolean {
  if (changed === 'picture') return true;
  return changed !== 'light' && names.some((name) => name in changed);
}

/** The verdict and the sentence of the plan from the state before to the one shown. */
export type PlanSentence = Pick<Plan, 'verdict' | 'summary'>;

/** The parts of a comparison's store besides the picture. */
export interface Comparison {
  readonly before: PictureIndex;
  readonly plan: PlanSentence | undefined;
}

/** The state of the page. Listeners are called when it changes. */
export class Store {
  /** The newest picture. */
  #now: PictureIndex;
  /** The picture shown: the newest one, or one of an earlier day. */
  #index: PictureIndex;
  #both: readonly BothSpaces[];
  #changes: ReadonlyMap<string, AddressComparison> = new Map();
  #hostnameChanges: ReadonlyMap<string, HostnameComparison> = new Map();
  #view: View = plainView;
  #owner: string | undefined;
  readonly before: PictureIndex | undefined;
  readonly plan: PlanSentence | undefined;
  /** How much a map shows at once. */
  readonly detail: Detail;
  readonly #listeners: ((changed: Changed) => void)[] = [];

  constructor(index: PictureIndex, compared: Comparison | undefined, detail: Detail = 'fine') {
    const before = compared?.before;
    this.#now = index;
    this.#index = index;
    this.before = before;
    this.plan = compared?.plan;
    this.detail = detail;
    this.#both = bothSpaces(before, index);
    if (before) this.#compare(before);
    this.#view = this.firstView;
  }

  get index(): PictureIndex {
    return this.#index;
  }

  get now(): PictureIndex {
    return this.#now;
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

  /** By address: the changes between two states, or those that arrived last. */
  get changes(): ReadonlyMap<string, AddressComparison> {
    return this.#changes;
  }

  /** The same by hostname. */
  get hostnameChanges(): ReadonlyMap<string, HostnameComparison> {
    return this.#hostnameChanges;
  }

  /** The change of an address or a hostname. */
  changeOf(name: string): AddressComparison | HostnameComparison | undefined {
    return this.#changes.get(name) ?? this.#hostnameChanges.get(name);
  }

  /** The number of changed addresses of a space. */
  changedIn({ ranges }: Space): number {
    const all = [...this.#changes.values()];
    return all.filter(({ at }) => ranges.some((range) => rangeHas(range, at))).length;
  }

  /** The owner whose addresses are lit on the map. */
  get owner(): string | undefined {
    return this.#owner;
  }

  /** The first map with a change, otherwise with an address in use, otherwise the first one. */
  get firstView(): View {
    const isUsed = ({ records }: Space) => records.some(({ state }) => state !== 'free');
    const [change] = this.#changes.values();
    const changed = change && this.before && this.mapOf(change.at);
    if (changed) return { ...plainView, ...changed };
    const first = this.spaces.find(isUsed) ?? this.spaces[0];
    return first ? { ...plainView, ...firstMap(first) } : plainView;
  }

  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener);
  }

  look(view: Readonly<Partial<View>>): void {
    this.#view = { ...this.#view, ...view };
    if ('day' in view) this.#travel();
    else this.#tell(view);
  }

  /** Lights all addresses of an owner on the map. */
  light(owner: string | undefined): void {
    if (owner === this.#owner) return;
    this.#owner = owner;
    this.#tell('light');
  }

  /** Shows another picture and keeps the view as far as it still exists. */
  replace(index: PictureIndex): void {
    const changes = changesBetween(this.#now, index);
    const hostnameChanges = hostnameChangesBetween(this.#now, index);
    const isMore = this.#now.picture.partial;
    this.#now = index;
    if (!this.before && !isMore && changes.size + hostnameChanges.size > 0) {
      this.#changes = changes;
      this.#hostnameChanges = hostnameChanges;
    }
    this.#travel();
  }

  /** Forgets the changes that arrived. */
  settle(): void {
    this.#changes = new Map();
    this.#hostnameChanges = new Map();
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
    this.look(mapOfSheet(space, sheet));
  }

  /** Selects a hostname. */
  showHostname(hostname: string): void {
    this.look({ selected: hostname });
  }

  /** Selects an address and shows the part of the map that contains it. */
  show(address: Address, text: string): void {
    this.look({ selected: text, ...this.mapOf(address) });
  }

  /** The map of an address; nothing when no pool has it. */
  mapOf(address: Address): MapView | undefined {
    const space = spaceWith(this.spaces, address);
    return space && mapOfAddress(space, address, this.detail);
  }

  /** The map of a block or range; nothing when no pool has it. */
  mapOfRange(range: AddressRange): MapView | undefined {
    return mapOfRange(this.spaces, range, this.detail);
  }

  /** Shows the picture of the day in the view, and keeps the view as far as it still exists. */
  #travel(): void {
    const { day } = this.#view;
    const { picture } = this.#now;
    const isPast = day !== undefined && day < picture.day && picture.past !== undefined;
    this.#index = isPast ? pastIndex(this.#now, day) : this.#now;
    this.#both = bothSpaces(this.before, this.#index);
    if (this.before) this.#compare(this.before);
    this.#view = { ...this.#view, ...this.#stillThere() };
    this.#tell('picture');
  }

  #compare(before: PictureIndex): void {
    this.#changes = changesBetween(before, this.#index);
    this.#hostnameChanges = hostnameChangesBetween(before, this.#index);
  }

  /** The view in a new picture: the same part, otherwise its map, otherwise the first map. */
  #stillThere(): Partial<View> {
    const { trail } = this.#view;
    const [from] = trail[0] ?? [];
    const { space } = this;
    const { firstView } = this;
    if (!space || !from) return { space: firstView.space, trail: firstView.trail };
    const sheets = spaceSheets(space);
    const whole = sheetText(trail[0] ?? []);
    if (sheets.some((sheet) => sheet[0]?.from === from.from && sheetText(sheet) === whole))
      return {};
    const address = { family: from.family, value: from.from };
    const own = sheets.find((sheet) => sheetHas(sheet, address));
    return own ? mapOfSheet(space, own) : firstMap(space);
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
