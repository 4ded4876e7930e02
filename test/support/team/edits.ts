import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { daysAfter } from '../allocations/naive-rules.ts';
import type { Seeded } from '../run/seeded.ts';
import { putFile } from '../trees/temp-tree.ts';
import { oneOf, type Person } from './town.ts';
import {
  type Document,
  familyOf,
  heldIn,
  isServed,
  type RecordView,
  type TreeView,
  zoneOf,
} from './view.ts';

/** The author, the working tree and its content. */
export interface Desk {
  readonly person: Person;
  readonly random: Seeded;
  /** The tree in the working folder of the author. */
  readonly view: TreeView;
  /** A number that nothing of the team has yet. */
  readonly number: number;
}

/** What an edit did. */
export interface Edited {
  readonly did: string;
  /** The command that records it, where that is not `synth`. */
  readonly command?: readonly string[];
  /** The holder that is asked to move. */
  readonly moves?: string;
}

/** One honest change of a working tree, by hand; undefined where there is nothing to change. */
export type Edit = (desk: Desk) => Edited | undefined;

const zones = ['inet', 'inet', 'inet', 'edge'] as const;
const ports = [25, 53, 80, 443, 8080, 8443];
const names = ['front', 'api', 'mail', 'game'];

/** What a tenant does with addresses, the commoner ones more than once. */
export const addressEdits: readonly Edit[] = [
  ...[lease, lease, lease, service, service, reservation, pinnedLease],
  ...[end, end, dropPort, rename, rename, changePort, changePort, retain, retain],
  ...[pinHeld, unpin, move, move, release],
  ...[promise, promise, renew, redeem, redeem, redeem, withdraw],
];

/** Writes a file of the working tree. */
export function write(desk: Desk, path: string, document: Document): void {
  putFile(desk.person.clone.root, path, stringify(document));
}

/** The content of a file of the working tree. */
export function read({ person }: Desk, path: string): Document {
  return parse(readFileSync(join(person.clone.root, path), 'utf8'));
}

/** The declarations of the person's own folder, of one kind or any. */
export function ownFiles({ person, view }: Desk, kind?: string): readonly string[] {
  const declared = [...view.claims, ...view.promises, ...view.hostnames];
  const files = new Set(
    declared.map(({ file }) => file).filter((file) => file.startsWith(person.folder)),
  );
  return [...files].filter((file) => kind === undefined || kindOf(file) === kind);
}

function ownFile(desk: Desk, kind?: string): string | undefined {
  return oneOf(desk.random, ownFiles(desk, kind));
}

function kindOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/-.*/, '');
}

/** Ports of a holder that nobody has in this tree. */
function freePorts({ view }: Desk, holder: string): readonly number[] {
  const taken = view.claims.filter((claim) => claim.holder === holder);
  return ports.filter((port) => taken.every((claim) => claim.port !== `${port}/TCP`));
}

function endpoint(desk: Desk, name: string): Document | undefined {
  const { random, view, person } = desk;
  const holder = `default/akash/${person.account}-ip-${name}`;
  const beside = view.claims.find((claim) => claim.holder === holder);
  const externalPort = oneOf(random, freePorts(desk, holder));
  if (externalPort === undefined) return undefined;
  const zone = beside ? zoneOf(view, holder) : oneOf(random, zones);
  const ipFamily = beside ? familyText(beside.families) : familyIn(random, zone);
  const retain = random.chance(0.3) ? { retentionDays: 1 + random.below(30) } : {};
  return { name, service: name, port: 8080, externalPort, zone, ipFamily, ...retain };
}

function familyText(families: readonly string[]): string {
  return families.length > 1 ? 'dual' : (families[0] ?? 'ipv4');
}

function familyIn(random: Seeded, zone: string | undefined): string {
  return zone === 'edge' ? (oneOf(random, ['ipv4', 'ipv6', 'dual']) ?? 'ipv4') : 'ipv4';
}

function lease(desk: Desk): Edited | undefined {
  const { person, random, number } = desk;
  const name = oneOf(random, names) ?? '';
  const first = endpoint(desk, name);
  if (first === undefined) return undefined;
  const second = random.chance(0.3)
    ? endpoint(desk, names.find((other) => other !== name) ?? '')
    : undefined;
  const endpoints = second ? [first, second] : [first];
  write(desk, `${person.folder}/lease-${number}.yaml`, leaseDocument(person, number, endpoints));
  return { did: `lease ${number} of ${endpoints.map((one) => one.name).join(' and ')}` };
}

/** A promise for an endpoint that has no address, with a last day that may be today. */
function promise(desk: Desk): Edited | undefined {
  const { person, random, view } = desk;
  const held = new Set(view.claims.map(({ holder }) => holder));
  const free = names.filter((name) => !held.has(`default/akash/${person.account}-ip-${name}`));
  const endpoint = oneOf(random, free);
  if (endpoint === undefined) return undefined;
  const zone = oneOf(random, zones);
  const terms = { until: lastDay(desk), zone, ipFamily: familyIn(random, zone) };
  const spec = { owner: person.account, endpoint, ...terms };
  const file = `${person.folder}/promise-${endpoint}.yaml`;
  write(desk, file, { apiVersion: 'leasehold.dev/v1', kind: 'Promise', spec });
  return { did: `promise ${endpoint}` };
}

function renew(desk: Desk): Edited | undefined {
  const file = ownFile(desk, 'promise');
  if (file === undefined) return undefined;
  const document = read(desk, file);
  document.spec.until = lastDay(desk);
  write(desk, file, document);
  return { did: `renew ${file}` };
}

/** A lease for the endpoint of an own promise, which takes its address over. */
function redeem(desk: Desk): Edited | undefined {
  const { person, number } = desk;
  const file = ownFile(desk, 'promise');
  if (file === undefined) return undefined;
  const { endpoint, zone, ipFamily } = read(desk, file).spec;
  const own = { name: endpoint, service: 'web', port: 8080, externalPort: 80, zone, ipFamily };
  write(desk, `${person.folder}/lease-${number}.yaml`, leaseDocument(person, number, [own]));
  return { did: `redeem ${file}` };
}

function withdraw(desk: Desk): Edited | undefined {
  const file = ownFile(desk, 'promise');
  if (file === undefined) return undefined;
  rmSync(join(desk.person.clone.root, file));
  return { did: `withdraw ${file}` };
}

function lastDay({ person, random }: Desk): string {
  return daysAfter(person.clone.today, random.below(31));
}

/** A lease as it is written. */
export function leaseDocument(
  { account }: Pick<Person, 'account'>,
  number: number,
  endpoints: readonly Document[],
): Document {
  const id = { owner: account, dseq: `${number}`, gseq: 1, oseq: 1 };
  return { apiVersion: 'leasehold.dev/v1', kind: 'Lease', spec: { id, endpoints } };
}

function pinnedLease(desk: Desk): Edited | undefined {
  const { person, random, number, view } = desk;
  const free = [...Array(12).keys()].map((last) => `203.0.113.${last}`);
  const address = oneOf(
    random,
    free.filter((text) => !view.records.has(text)),
  );
  if (address === undefined) return undefined;
  const own = { name: `pin-${number}`, service: 'web', port: 8080, externalPort: 80, address };
  write(desk, `${person.folder}/lease-${number}.yaml`, leaseDocument(person, number, [own]));
  return { did: `lease ${number} pinned to ${address}` };
}

function service(desk: Desk): Edited {
  const { person, random, number } = desk;
  const zone = oneOf(random, zones) ?? 'inet';
  const annotations = {
    'ipam.vitistack.io/zone': zone,
    'ipam.vitistack.io/ip-family': familyIn(random, zone),
    'ipam.vitistack.io/retention-period-days': `${random.below(8)}`,
  };
  write(desk, `${person.folder}/service-${number}.yaml`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `web-${number}`, namespace: person.name, annotations },
    spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  return { did: `Service ${number} in ${zone}` };
}

function reservation(desk: Desk): Edited {
  const { person, number } = desk;
  write(desk, `${person.folder}/reservation-${number}.yaml`, {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Reservation',
    spec: { namespace: person.name, service: `chart-${number}`, ports: [{ port: 443 }] },
  });
  return { did: `reservation ${number}` };
}

function end(desk: Desk): Edited | undefined {
  const file = ownFile(desk);
  if (file === undefined) return undefined;
  rmSync(join(desk.person.clone.root, file));
  return { did: `end ${file}` };
}

/** An edit of the endpoints of a lease. */
function ofLease(
  desk: Desk,
  did: string,
  change: (endpoints: Document[]) => boolean,
): Edited | undefined {
  const file = ownFile(desk, 'lease');
  if (file === undefined) return undefined;
  const document = read(desk, file);
  const { endpoints = [] } = document.spec;
  if (endpoints.length === 0 || !change(endpoints)) return undefined;
  write(desk, file, document);
  return { did: `${did} in ${file}` };
}

function dropPort(desk: Desk): Edited | undefined {
  return ofLease(desk, 'drop an endpoint', (endpoints) => {
    if (endpoints.length < 2) return false;
    endpoints.splice(desk.random.below(endpoints.length), 1);
    return true;
  });
}

function rename(desk: Desk): Edited | undefined {
  return ofLease(desk, 'rename an endpoint', ([first]) => {
    if (first.address !== undefined) return false;
    first.name = `${names[desk.random.below(names.length)]}-${desk.number}`;
    return true;
  });
}

function changePort(desk: Desk): Edited | undefined {
  return ofLease(desk, 'change a port', ([first]) => {
    const holder = `default/akash/${desk.person.account}-ip-${first.name}`;
    const port = oneOf(desk.random, freePorts(desk, holder));
    if (desk.random.chance(0.5)) first.port = 9000 + desk.random.below(50);
    else if (port !== undefined) first.externalPort = port;
    return true;
  });
}

function retain(desk: Desk): Edited | undefined {
  return ofLease(desk, 'change the retention', ([first]) => {
    first.retentionDays = desk.random.below(31);
    return true;
  });
}

function unpin(desk: Desk): Edited | undefined {
  return ofLease(desk, 'remove the pin', ([first]) => {
    if (first.address === undefined) return false;
    delete first.address;
    return true;
  });
}

/** An address that somebody holds by declarations of these folders, without a pin. */
export function heldBy({ view, random }: Desk, folder: string): RecordView | undefined {
  const movable = [...heldIn(view)].filter(([address, key]) => {
    const claims = view.claims.filter(
      ({ holder, families }) => `${holder} ${familyOf(address)}` === key && families.length === 1,
    );
    return (
      claims.length > 0 &&
      claims.every((one) => one.file.startsWith(folder) && one.pins.length === 0)
    );
  });
  return view.records.get(oneOf(random, movable)?.[0] ?? '');
}

function pinHeld(desk: Desk): Edited | undefined {
  const record = heldBy(desk, desk.person.folder);
  const isLeased = desk.view.claims.some((one) => one.holder === record?.holder && isServed(one));
  return record && isLeased
    ? { did: `pin ${record.address}`, command: ['pin', record.address] }
    : undefined;
}

function release(desk: Desk): Edited | undefined {
  const record = heldBy(desk, desk.person.folder);
  return record && { did: `release ${record.address}`, command: ['release', record.address] };
}

/** A move, with the word that the policy asks for: a comment in the holder's own declaration. */
function move(desk: Desk): Edited | undefined {
  const { person, view, number } = desk;
  const record = heldBy(desk, person.folder);
  const file = view.claims.find(({ holder }) => holder === record?.holder)?.file;
  if (!record || !file?.startsWith(person.folder)) return undefined;
  const text = readFileSync(join(person.clone.root, file), 'utf8');
  putFile(person.clone.root, file, `${text}# Moved for ticket ${number}.\n`);
  const { address, holder } = record;
  return { did: `move ${address}`, command: ['move', address], moves: holder };
}
