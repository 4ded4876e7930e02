import { type KeyName, keyPath, printKey, readKey } from '../../core/declarations/key-file.ts';
import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
} from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import type { Holder } from '../../core/model/holder.ts';
import {
  type DeclaredKey,
  type KeyPair,
  keyPairOf,
  keyText,
  statementText,
} from '../../core/model/ownership.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { keysFolder } from '../../core/model/repository-paths.ts';
import { byAddress, formatAddress } from '../../core/net/address.ts';
import { planRun, type RunOptions } from '../../core/run/synth/planned-run.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import { readWorkspace, type Workspace } from '../../core/tree/workspace.ts';
import { withSignature } from '../../lib/edit/declaration-edits.ts';
import { type KeyOutcome, refused } from './keys.ts';

/** A request to replace the secret of a key. */
export interface Rotation {
  readonly name: KeyName;
  readonly oldSecret: Uint8Array;
  readonly newSecret: Uint8Array;
  readonly today: Day;
  readonly base: RunOptions['base'];
}

/** The files to write, and the addresses that get the new key with the next synth. */
export interface Rotated {
  readonly changes: TreeChanges;
  readonly addresses: readonly string[];
  /** Released addresses that still have the old key. */
  readonly kept: readonly string[];
}

/**
 * Replaces the secret of a key: writes its file, and signs every held address of the key over to
 * the new one. The salt stays, so that the old secret still gives the old key for released
 * addresses. Problems: those of a synth of the result.
 */
export async function rotate(
  tree: SourceTree,
  history: History,
  rotation: Rotation,
): Promise<KeyOutcome<Outcome<Rotated>>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return ok(workspace);
  const { keys, table } = workspace.value;
  const { name, oldSecret, newSecret, today } = rotation;
  const key = keys.byName.get(keyText(name));
  if (!key) return refused(`leases/keys/ has no key ${keyText(name)}`);
  const rotated = await rotatedKey(rotation, key);
  const old = keyPairOf(oldSecret, (rotated ?? key).salt);
  if (old.publicKey !== (rotated ?? key).publicKey) {
    const reason = `the secret does not match the key ${keyText(name)}`;
    if (rotated === undefined) return refused(reason);
    return refused(
      `${reason} of the target, which this branch has rotated already: use the secret of that key`,
    );
  }
  const { publicKey } = keyPairOf(newSecret, key.salt);
  if (publicKey === key.publicKey) return refused('the new secret is the same as the old one');
  const changed = changedTree(tree);
  const records = (rotated && rotation.base?.table) ?? table;
  const { texts, addresses } = signedFiles(tree, workspace.value, { key, old, publicKey, records });
  const under = sorted(records).filter((record) => !isHeld(record) && record.key === old.publicKey);
  const [retained] = under.filter((record) => !isFree(record, today));
  if (retained && addresses.length === 0) return refused(unproven(key, retained));
  await changed.commit({
    writes: new Map([...texts, [keyPath(name), printKey({ salt: key.salt, publicKey })]]),
    removes: [],
  });
  const plan = await planRun(changed, history, today, rotation);
  if (!plan.ok) return ok(plan);
  const kept = under.map(({ address }) => formatAddress(address));
  return ok(ok({ changes: changed.changes(), addresses, kept }));
}

/** The key of the base that the branch has already rotated; undefined when it has not. */
async function rotatedKey(
  { name, base }: Rotation,
  { publicKey }: DeclaredKey,
): Promise<DeclaredKey | undefined> {
  const path = keyPath(name);
  const tree = await base?.tree();
  const isThere = tree?.list(keysFolder).some((entry) => entry.path === path);
  const read = tree && isThere ? readKey(path, name, tree.read(path)) : undefined;
  return read?.ok && read.value.publicKey !== publicKey ? read.value : undefined;
}

/**
 * Without a signature, nothing in the tree proves the old secret: `check --base` would report
 * KEY_REPLACED.
 */
function unproven(key: DeclaredKey, { address, released }: Allocation): string {
  return `the key ${keyText(key)} cannot be rotated: no held address has it, and ${formatAddress(address)} is kept under it until ${released?.freeFrom}; create another key with \`leasehold key new\``;
}

interface Keys {
  readonly key: DeclaredKey;
  readonly old: KeyPair;
  /** The new one. */
  readonly publicKey: string;
  /** The records whose keys are rotated: those of the base when the branch has rotated before. */
  readonly records: AllocationTable;
}

/** The declarations of a key with signatures for the new one, by path, and the signed addresses. */
function signedFiles(
  tree: SourceTree,
  { holders, keys: { repository = '' } }: Workspace,
  { key, old, publicKey, records: table }: Keys,
): { readonly texts: ReadonlyMap<string, string>; readonly addresses: readonly string[] } {
  const texts = new Map<string, string>();
  const addresses: string[] = [];
  for (const holder of holders) {
    if (holder.ownership.key !== key) continue;
    const records = sorted(table).filter((record) => isOwn(record, holder, old));
    const signatures = records.map(({ address, generation, since }) =>
      old.sign(
        statementText({
          action: 'rotate',
          repository,
          address,
          holder: holder.id,
          generation,
          newKey: publicKey,
          since,
        }),
      ),
    );
    const { at } = holder;
    if (signatures.length === 0) continue;
    const text = texts.get(at.file) ?? textIn(tree, at.file);
    texts.set(at.file, withSignature(text, signatures.join(',')));
    addresses.push(...records.map(({ address }) => formatAddress(address)));
  }
  return { texts, addresses };
}

function isOwn(record: Allocation, { id }: Holder, { publicKey }: KeyPair): boolean {
  return isHeld(record) && record.holder === id && record.key === publicKey;
}

function sorted(table: AllocationTable): readonly Allocation[] {
  return [...table.values()].sort(byAddress);
}
