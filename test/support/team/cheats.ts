import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { daysAfter } from '../allocations/naive-rules.ts';
import { accountOf } from '../declarations/lease-text.ts';
import type { Seeded } from '../run/seeded.ts';
import { putFile } from '../trees/temp-tree.ts';
import { leaseDocument } from './edits.ts';
import type { HostnameRecordView } from './hostname-view.ts';
import type { RecordFields } from './record-fields.ts';
import { oneOf, type Person } from './town.ts';
import type { Document, RecordView, TreeView } from './view.ts';

/** Who cheats, in a checkout of main. */
interface Den {
  readonly person: Person;
  /** Somebody else of the team. */
  readonly victim: Person;
  readonly random: Seeded;
  /** The tree of main. */
  readonly view: TreeView;
  readonly number: number;
}

/** A change that nobody may make. False where there is nothing to cheat with. */
export type Cheat = (den: Den) => boolean | Promise<boolean>;

/** All kinds, by what they do. */
export const cheats: Readonly<Record<string, Cheat>> = {
  'takes a held address': (den) => takes(den, 'held', den.person.clone.today),
  'takes a kept address': (den) => takes(den, 'kept', den.person.clone.today),
  'takes a kept address from the day it is free': (den) => takesEarly(den),
  'puts the day of a lease back': (den) =>
    rewrites(den, 'held', ({ since }) => [`since: ${since}`, `since: ${daysAfter(since, -3)}`]),
  'puts the day of a lease forward': (den) =>
    rewrites(den, 'held', ({ since }) => [`since: ${since}`, `since: ${daysAfter(since, 1)}`]),
  'puts the day of a release back': (den) =>
    rewrites(den, 'kept', ({ releasedOn }) => [
      `on: ${releasedOn}`,
      `on: ${daysAfter(releasedOn ?? '', -9)}`,
    ]),
  'frees a kept address today': (den) =>
    rewrites(den, 'kept', ({ freeFrom }) => [
      `freeFrom: ${freeFrom}`,
      `freeFrom: ${den.person.clone.today}`,
    ]),
  'keeps an address for a year': (den) =>
    rewrites(den, 'kept', ({ freeFrom }) => [
      `freeFrom: ${freeFrom}`,
      `freeFrom: ${daysAfter(freeFrom ?? '', 365)}`,
    ]),
  'promises a held address for less': (den) =>
    rewrites(den, 'held', ({ retain }) => [`retain: ${retain}`, 'retain: 0']),
  'promises a held address for more': (den) =>
    rewrites(den, 'held', ({ retain }) => [`retain: ${retain}`, `retain: ${retain + 20}`]),
  'forgets a kept address': (den) => forgets(den, 'kept'),
  'forgets a held address': (den) => forgets(den, 'held'),
  'says that a lease was moved': (den) =>
    rewrites(den, 'held', ({ retain, address }) => [
      `retain: ${retain}\n`,
      `retain: ${retain}\nmovedFrom: ${address.includes(':') ? '2001:db8::f' : '203.0.113.15'}\n`,
    ]),
  'releases what somebody needs': (den) => releases(den),
  'edits an address in dist': (den) => announces(den),
  'raises the quota and uses it': (den) => usesQuota(den),
  'declares for somebody else': ({ person, victim, number, ...den }) =>
    leases({ ...den, person, number, victim }, person.folder, victim.account),
  "declares in somebody else's folder": ({ person, victim, number, ...den }) =>
    leases({ ...den, person, number, victim }, victim.folder, person.account),
  'widens the policy and uses it': (den) => usesPolicy(den),
  'moves somebody else': (den) => moves(den),
  'takes what is reserved': (den) => takesReserved(den),
  'renames a holder of somebody else': (den) => renames(den),
  'takes a held hostname': (den) => takesHostname(den, 'held', den.person.clone.today),
  'takes a kept hostname': (den) => takesHostname(den, 'kept', den.person.clone.today),
  'takes a kept hostname from the day it is free': (den) => takesHostnameEarly(den),
  'takes a name below the wildcard of somebody else': (den) => takesBelow(den),
  "declares a hostname for somebody else's Service": (den) => declaresHostname(den),
  'forgets a held hostname': (den) => forgets(den, 'held', hostnamesOf),
  'forgets a kept hostname': (den) => forgets(den, 'kept', hostnamesOf),
  'frees a kept hostname today': (den) =>
    rewritesHostname(den, 'kept', ({ freeFrom }) => [
      `freeFrom: ${freeFrom}`,
      `freeFrom: ${den.person.clone.today}`,
    ]),
  'puts the day of a hostname back': (den) =>
    rewritesHostname(den, 'held', ({ since }) => [
      `since: ${since}`,
      `since: ${daysAfter(since, -3)}`,
    ]),
  'keeps a hostname for a year': (den) =>
    rewritesHostname(den, 'kept', ({ freeFrom }) => [
      `freeFrom: ${freeFrom}`,
      `freeFrom: ${daysAfter(freeFrom ?? '', 365)}`,
    ]),
  'releases a hostname that somebody needs': (den) => releases(den, hostnamesOf),
};

/** The records of a view that a cheat may be about. */
type RecordsOf<Kind extends RecordFields> = (view: TreeView) => ReadonlyMap<string, Kind>;

const addressesOf: RecordsOf<RecordView> = ({ records }) => records;
const hostnamesOf: RecordsOf<HostnameRecordView> = ({ hostnameRecords }) => hostnameRecords;

/** A record of main that is somebody else's: held, or kept for some days. */
function recordOf<Kind extends RecordFields>(
  { view, person, random }: Den,
  state: 'held' | 'kept',
  recordsOf: RecordsOf<Kind>,
): Kind | undefined {
  const declared = [...view.claims, ...view.hostnames];
  const own = new Set([
    ...declared.filter(({ file }) => file.startsWith(person.folder)).map(({ holder }) => holder),
    `default/namespace/${person.name}`,
    `default/akash/${person.account}`,
  ]);
  const others = [...recordsOf(view).values()].filter(({ holder, freeFrom }) => {
    const isKept = freeFrom !== undefined && freeFrom > person.clone.today;
    return !own.has(holder) && (state === 'held' ? freeFrom === undefined : isKept);
  });
  return oneOf(random, others);
}

function textOf({ person }: Den, file: string): string {
  return readFileSync(join(person.clone.root, file), 'utf8');
}

/** Replaces a text in the record of somebody else. */
function rewrites(
  den: Den,
  state: 'held' | 'kept',
  change: (record: RecordView) => readonly [from: string, into: string],
): boolean {
  return rewritesIn(den, recordOf(den, state, addressesOf), change);
}

/** The same in the record of a hostname. */
function rewritesHostname(
  den: Den,
  state: 'held' | 'kept',
  change: (record: RecordFields) => readonly [from: string, into: string],
): boolean {
  return rewritesIn(den, recordOf(den, state, hostnamesOf), change);
}

function rewritesIn<Kind extends RecordFields>(
  den: Den,
  record: Kind | undefined,
  change: (record: Kind) => readonly [from: string, into: string],
): boolean {
  if (!record) return false;
  const [from, into] = change(record);
  const text = textOf(den, record.file);
  putFile(den.person.clone.root, record.file, text.replace(from, into));
  return text.includes(from) && from !== into;
}

function takes(den: Den, state: 'held' | 'kept', since: string): boolean {
  return takesRecord(den, recordOf(den, state, addressesOf), since);
}

/** A record that is free from tomorrow may be taken: the clocks of two machines may differ by a day. */
function takesEarly(den: Den): boolean {
  const record = recordOf(den, 'kept', addressesOf);
  const freeFrom = record?.freeFrom ?? '';
  return freeFrom > daysAfter(den.person.clone.today, 1) && takesRecord(den, record, freeFrom);
}

/** Declares an own lease that pins an address of somebody else, and writes its record. */
function takesRecord(den: Den, record: RecordView | undefined, since: string): boolean {
  const { person } = den;
  if (!record?.address.startsWith('203.')) return false;
  leases(den, person.folder, person.account, record.address);
  const text = textOf(den, record.file)
    .replace(/^holder: .*$/m, `holder: default/akash/${person.account}-ip-loot`)
    .replace(/^since: .*$/m, `since: ${since}`)
    .replace(/^(?:keepUntil|movedFrom): .*\n/gm, '')
    .replace(/^released:\n(?: .*\n)*/m, '');
  putFile(person.clone.root, record.file, text);
  return true;
}

/** A Rename of somebody else's holder to an own one, with its record. */
function renames(den: Den): boolean {
  const record = recordOf(den, den.random.chance(0.5) ? 'held' : 'kept', addressesOf);
  const { person, number } = den;
  if (!record || !takesRecord(den, record, record.since)) return false;
  const holders = [{ from: record.holder, to: `default/akash/${person.account}-ip-loot` }];
  const document = { apiVersion: 'leasehold.dev/v1', kind: 'Rename', spec: { holders } };
  putFile(person.clone.root, `${person.folder}/rename-${number}.yaml`, stringify(document));
  return true;
}

/** Declares a hostname of somebody else in the own namespace, and writes its record. */
function takesHostname(den: Den, state: 'held' | 'kept', since: string): boolean {
  return takesName(den, recordOf(den, state, hostnamesOf), since);
}

function takesHostnameEarly(den: Den): boolean {
  const record = recordOf(den, 'kept', hostnamesOf);
  const freeFrom = record?.freeFrom ?? '';
  return freeFrom > daysAfter(den.person.clone.today, 1) && takesName(den, record, freeFrom);
}

function takesName(den: Den, record: HostnameRecordView | undefined, since: string): boolean {
  if (!record) return false;
  declaresName(den, den.person.name, record.hostname);
  const text = textOf(den, record.file)
    .replace(/^holder: .*$/m, `holder: default/namespace/${den.person.name}`)
    .replace(/^since: .*$/m, `since: ${since}`)
    .replace(/^keepUntil: .*\n/gm, '')
    .replace(/^released:\n(?: .*\n)*/m, '');
  putFile(den.person.clone.root, record.file, text);
  return true;
}

/** A new name in the domain of a wildcard, which has no record that conflicts in git. */
function takesBelow(den: Den): boolean {
  const wildcards: RecordsOf<HostnameRecordView> = ({ hostnameRecords }) =>
    new Map([...hostnameRecords].filter(([hostname]) => hostname.startsWith('*.')));
  const record = recordOf(den, den.random.chance(0.5) ? 'held' : 'kept', wildcards);
  if (!record) return false;
  const hostname = record.hostname.replace('*', `loot-${den.number}`);
  declaresName(den, den.person.name, hostname);
  const path = record.file.replace('_wildcard', `loot-${den.number}`);
  const text = textOf(den, record.file)
    .replace(/^hostname: .*$/m, `hostname: '${hostname}'`)
    .replace(/^holder: .*$/m, `holder: default/namespace/${den.person.name}`)
    .replace(/^since: .*$/m, `since: ${den.person.clone.today}`)
    .replace(/^keepUntil: .*\n/gm, '')
    .replace(/^released:\n(?: .*\n)*/m, '');
  putFile(den.person.clone.root, path, text);
  return true;
}

function declaresHostname(den: Den): boolean {
  declaresName(den, den.victim.name, `loot-${den.number}.example.org`);
  return true;
}

function declaresName({ person, number }: Den, namespace: string, hostname: string): void {
  const spec = { namespace, service: 'web', port: 80, hostname };
  const document = { apiVersion: 'leasehold.dev/v1', kind: 'Hostname', spec };
  putFile(person.clone.root, `${person.folder}/hostname-${number}.yaml`, stringify(document));
}

function forgets(
  den: Den,
  state: 'held' | 'kept',
  recordsOf: RecordsOf<RecordFields> = addressesOf,
): boolean {
  const record = recordOf(den, state, recordsOf);
  if (record) rmSync(join(den.person.clone.root, record.file));
  return record !== undefined;
}

function releases(den: Den, recordsOf: RecordsOf<RecordFields> = addressesOf): boolean {
  const record = recordOf(den, 'held', recordsOf);
  if (!record) return false;
  const { today, root } = den.person.clone;
  const days = `released:\n  on: ${today}\n  freeFrom: ${daysAfter(today, record.retain)}\n`;
  const text = textOf(den, record.file).replace(/^(?:keepUntil|movedFrom): .*\n/gm, '');
  putFile(root, record.file, `${text}${days}`);
  return true;
}

/** Puts the address of somebody else into the manifest of another one. */
function announces(den: Den): boolean {
  const [first, second] = den.random.shuffled([...den.view.pinned]);
  if (!first || !second || first.address === second.address) return false;
  const text = textOf(den, first.file);
  putFile(den.person.clone.root, first.file, text.replaceAll(first.address, second.address));
  return true;
}

function leases(den: Den, folder: string, account: string, address?: string): boolean {
  const { person, number } = den;
  const pin = address === undefined ? {} : { address };
  const endpoint = { name: 'loot', service: 'web', port: 8080, externalPort: 80, ...pin };
  const document = leaseDocument({ account }, number, [endpoint]);
  putFile(person.clone.root, `${folder}/lease-${number}.yaml`, stringify(document));
  return true;
}

function edits({ person }: Den, path: string, change: (document: Document) => void): void {
  const document = parse(readFileSync(join(person.clone.root, path), 'utf8'));
  change(document);
  putFile(person.clone.root, path, stringify(document));
}

function usesQuota(den: Den): boolean {
  const { person, view, number } = den;
  edits(den, 'leases/pools.yaml', (pools) => {
    pools.quotas.owners = { [person.account]: 50 };
  });
  const endpoints = Array.from({ length: view.quota + 1 }, (_, index) => ({
    ...{ name: `loot-${index}`, service: `loot-${index}`, port: 8080, externalPort: 80 },
  }));
  const document = leaseDocument(person, number, endpoints);
  putFile(person.clone.root, `${person.folder}/lease-${number}.yaml`, stringify(document));
  return true;
}

function usesPolicy(den: Den): boolean {
  const { person, victim } = den;
  edits(den, 'leases/policy.yaml', ({ tenants }) => {
    for (const tenant of tenants) {
      if (tenant.name === person.name) tenant.owners.push(accountOf(victim.name));
    }
  });
  return leases(den, person.folder, victim.account);
}

/** The move of a pinned address changes the pin, which is a word in the folder of its owner: whoever may write there may move it. */
async function moves(den: Den): Promise<boolean> {
  const record = recordOf(den, 'held', addressesOf);
  if (!record || den.view.claims.some(({ pins }) => pins.includes(record.address))) return false;
  const { status } = await den.person.clone.run('move', record.address, '--family', 'both');
  return status === 0;
}

function takesReserved(den: Den): boolean {
  const reserved = den.view.pools.flatMap((pool) => (pool.zone === 'inet' && pool.reserved) || []);
  const address = oneOf(
    den.random,
    reserved.filter((one) => !den.view.records.has(one)),
  );
  if (address === undefined) return false;
  edits(den, 'leases/pools.yaml', ({ pools }) => {
    for (const pool of pools) {
      if (pool.reserved) pool.reserved = pool.reserved.filter((one: string) => one !== address);
    }
  });
  return leases(den, den.person.folder, den.person.account, address);
}

/** True when a cheat has left its checkout with other declarations, records or manifests than main. */
export function hasEffect({ clone }: Person, main: string): boolean {
  return existsSync(clone.root) && !clone.isDone('diff', '--quiet', main, 'HEAD');
}
