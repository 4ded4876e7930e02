import { allocate } from '../../../src/core/allocate/allocate.ts';
import { claimsOfService } from '../../../src/core/declarations/claims.ts';
import { holdersOf } from '../../../src/core/declarations/holders.ts';
import {
  type Allocation,
  type AllocationResult,
  type AllocationTable,
  isHeld,
} from '../../../src/core/model/allocation.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import {
  type DeclaredKey,
  type KeyPair,
  type Keys,
  keyPairOf,
  keyText,
  type Statement,
  statementText,
} from '../../../src/core/model/ownership.ts';
import { type Outcome, startOf } from '../../../src/core/model/problem.ts';
import type { Reservation } from '../../../src/core/model/service.ts';
import { anAddress } from '../declarations/pools-and-claims.ts';
import { aDay, aRecord, poolsWith, poolWith, type RecordWords } from './tables.ts';

/** The salt of every key here: 16 zero bytes. */
export const salt = 'A'.repeat(22);
export const repository = '0123456789abcdef0123456789abcdef';

const pairs = new Map<string, KeyPair>();

/** The key pair of a secret; each costs a third of a second, once. */
export function pairOf(secret: string): KeyPair {
  const known = pairs.get(secret) ?? keyPairOf(Buffer.from(secret), salt);
  pairs.set(secret, known);
  return known;
}

/** Keys by `<namespace>/<name>`, each of the secret that is given for it. */
export function keysOf(secrets: Readonly<Record<string, string>>, id = repository): Keys {
  const byName = Object.entries(secrets).map(([text, secret]): [string, DeclaredKey] => {
    const [namespace = '', name = ''] = text.split('/');
    const at = startOf(`leases/keys/${text}.yaml`);
    const key = { namespace, name, salt, publicKey: pairOf(secret).publicKey, at };
    return [keyText(key), key];
  });
  return { repository: id, byName: new Map(byName) };
}

/** Three keys of three secrets. */
export const ownedKeys = keysOf({ 'shop/own': 'old', 'shop/next': 'new', 'blog/own': 'third' });

/** The public key of a secret. */
export function keyOf(secret: string): string {
  return pairOf(secret).publicKey;
}

/** What a test says about a Service; the rest has defaults: `shop/web` on port 80 for an IPv4 address. */
export type ServiceWords = Partial<Omit<Reservation, 'signature' | 'pins' | 'secret'>> & {
  readonly secret?: string;
  readonly signature?: string;
  readonly pin?: string;
};

/** A Service that is reserved for, as declared in `leases/<namespace>/<name>.yaml`. */
function aService({ signature, secret, pin, ...words }: ServiceWords = {}): Reservation {
  const [namespace, name] = [words.namespace ?? 'shop', words.name ?? 'web'];
  const file = `leases/${namespace}/${name}.yaml`;
  return {
    kind: 'Reservation',
    gateway: undefined,
    cluster: 'default',
    namespace,
    name,
    ports: [{ port: 80, targetPort: undefined, protocol: 'TCP' }],
    zone: undefined,
    pool: undefined,
    advertisement: undefined,
    ipFamily: 'ipv4',
    pins: pin === undefined ? [] : [{ address: anAddress(pin), at: { file, line: 7, column: 3 } }],
    dns: [],
    retentionDays: 0,
    sharingKey: undefined,
    liveSharingKey: undefined,
    secret: secret === undefined ? undefined : { name: secret, at: { file, line: 8, column: 5 } },
    signature:
      signature === undefined ? undefined : { text: signature, at: { file, line: 9, column: 5 } },
    denyExternalCleanup: false,
    localBackend: undefined,
    at: { file, line: 3, column: 1 },
    ...words,
  };
}

/** The pools of these tests: 203.0.113.0/28, no retention. */
const ownedPools = poolsWith(poolWith({ addresses: ['203.0.113.0/28', '2001:db8::/124'] }));

/** The holders of Services. */
export function holdersOfServices(
  services: readonly ServiceWords[],
  keys: Keys,
): Outcome<readonly Holder[]> {
  const claims = services.flatMap((words) => claimsOfService(aService(words), []));
  return holdersOf({ claims, promises: [] }, ownedPools, keys);
}

/** The holders of Services that do not contradict each other, by their ids. */
export function ownersOf(
  services: readonly ServiceWords[],
  keys: Keys,
): ReadonlyMap<string, Holder> {
  const outcome = holdersOfServices(services, keys);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
  return new Map(outcome.value.map((holder) => [holder.id, holder]));
}

/** What a test says about a recorded address that may have a key. */
export interface OwnedWords extends RecordWords {
  readonly holder?: string;
  /** The secret of its key. */
  readonly secret?: string;
  readonly generation?: number;
}

/** 203.0.113.7, held by `default/service/shop/web` since 2026-01-01 if nothing else is said. */
export function anOwned(words: OwnedWords = {}, address = '203.0.113.7'): Allocation {
  const { holder = 'default/service/shop/web', secret, generation = 0, ...record } = words;
  const key = secret === undefined ? undefined : pairOf(secret).publicKey;
  return { ...aRecord(address, record), holder, key, generation };
}

/** A table of such records. */
export function ownedTable(...records: readonly Allocation[]): AllocationTable {
  return new Map(records.map((record) => [addressText(record), record]));
}

function addressText(record: Allocation): string {
  return (record.at?.file ?? '').replace('leases/allocations/', '').replace('.yaml', '');
}

/** What a test allocates for Services: on 2026-03-10 if nothing else is said, frozen when undefined is. */
export interface Owning {
  readonly services: readonly ServiceWords[];
  readonly keys: Keys;
  readonly table: AllocationTable;
  readonly today?: string | undefined;
}

export function owning(words: Owning): Outcome<AllocationResult> {
  const today = 'today' in words ? words.today : '2026-03-10';
  const holders = [...ownersOf(words.services, words.keys).values()];
  return allocate(ownedPools, holders, words.table, {
    today: today === undefined ? undefined : aDay(today),
  });
}

/** `shop/web held old 3`: the holder of a record, its state, the secret of its key, its generation. */
export function recordText(record: Allocation): string {
  const secret = ['old', 'new', 'third'].find((known) => keyOf(known) === record.key) ?? 'none';
  const holder = record.holder.split('/').slice(-2).join('/');
  return `${holder} ${isHeld(record) ? 'held' : 'released'} ${secret} ${record.generation}`;
}

/**
 * What becomes of 203.0.113.7, recorded like that, when these Services are declared under
 * {@link ownedKeys}: its record as {@link recordText}, or the codes of the problems.
 */
export function became(
  record: OwnedWords,
  services: readonly ServiceWords[],
  day = '2026-03-10',
): string {
  const table = ownedTable(anOwned(record));
  const today = day === 'frozen' ? undefined : day;
  const outcome = owning({ services, keys: ownedKeys, table, today });
  if (!outcome.ok) return outcome.problems.map(({ code }) => code).join();
  const now = outcome.value.table.get('203.0.113.7');
  return now ? recordText(now) : 'gone';
}

/** What is signed of 203.0.113.7, unless changed: its rotation to no key in the life of {@link anOwned}. */
export function aStatement(changes: Partial<Statement> = {}): Statement {
  return {
    action: 'rotate',
    repository,
    address: anAddress('203.0.113.7'),
    holder: 'default/service/shop/web',
    generation: 0,
    newKey: undefined,
    since: aDay('2026-01-01'),
    ...changes,
  };
}

/** A statement signed with a secret. */
export function signed(secret: string, changes: Partial<Statement> = {}): string {
  return pairOf(secret).sign(statementText(aStatement(changes)));
}
