import { type Address, compareAddresses } from '../net/address.ts';
import { firstReaching } from '../net/range.ts';
import { type Block, blockEnd } from './map/block.ts';
import type { IndexedRecord, PictureIndex } from './picture-index.ts';

/** What became of an address between two states of the tree. */
export interface AddressChange {
  readonly address: string;
  readonly at: Address;
  readonly kind: 'allocated' | 'released' | 'moved here' | 'moved away' | 'given on' | 'forgotten';
  readonly before: IndexedRecord | undefined;
  readonly after: IndexedRecord | undefined;
  /** Of a move: the other address. */
  readonly other?: string;
}

/** The addresses whose records say something else in the second state, by address, IPv4 first. */
export function changesBetween(
  before: PictureIndex,
  after: PictureIndex,
): ReadonlyMap<string, AddressChange> {
  const changes = new Map<string, AddressChange>();
  const records = [...before.records, ...after.records];
  records.sort((one, other) => compareAddresses(one.address, other.address));
  for (const { address: at, record } of records) {
    const { address } = record;
    const [was, is] = [before.recordOf(address), after.recordOf(address)];
    const kind = kindOf(was, is);
    if (kind) changes.set(address, { address, at, kind, before: was, after: is });
  }
  return withMoves(changes);
}

function kindOf(
  was: IndexedRecord | undefined,
  is: IndexedRecord | undefined,
): AddressChange['kind'] | undefined {
  const [wasHeld, isHeld] = [was?.record.state === 'held', is?.record.state === 'held'];
  if (wasHeld && isHeld) return was?.record.holder === is?.record.holder ? undefined : 'given on';
  if (isHeld) return 'allocated';
  if (wasHeld) return 'released';
  return was && !is ? 'forgotten' : undefined;
}

/** A holder that lost one address of a family and got one has moved. */
function withMoves(
  changes: ReadonlyMap<string, AddressChange>,
): ReadonlyMap<string, AddressChange> {
  const lost = new Map<string, AddressChange>();
  const told = new Map(changes);
  for (const change of changes.values()) {
    if (change.kind === 'released' && change.before) lost.set(keyOf(change.before), change);
  }
  for (const change of changes.values()) {
    const from = change.after && lost.get(keyOf(change.after));
    if (change.kind !== 'allocated' || !from) continue;
    told.set(change.address, { ...change, kind: 'moved here', other: from.address });
    told.set(from.address, { ...from, kind: 'moved away', other: change.address });
  }
  return told;
}

function keyOf({ record, address }: IndexedRecord): string {
  return `${address.family} ${record.holder}`;
}

/** How many of some changes lie in a block. They are sorted by address. O(log n). */
export function changesIn(changes: readonly AddressChange[], block: Block): number {
  const { family, from } = block;
  const upTo = (value: bigint) =>
    firstReaching(changes, ({ at }) => ({ from: at, to: at }), { family, value });
  return upTo(blockEnd(block) + 1n) - upTo(from);
}

/** What became of an address, in a few words: `moved here from 203.0.113.7`. */
export function changeText({ kind, other }: AddressChange): string {
  if (other === undefined) return kind;
  return kind === 'moved here' ? `${kind} from ${other}` : `${kind} to ${other}`;
}

/** What stands for a change where there is no room for words. */
export const signs: Readonly<Record<AddressChange['kind'], string>> = {
  allocated: '+',
  released: '−',
  'moved here': '→',
  'moved away': '←',
  'given on': '⇄',
  forgotten: '·',
};
