import {
  type Desk,
  type Edit,
  type Edited,
  leaseDocument,
  ownFiles,
  read,
  write,
} from './edits.ts';
import { type HostnameView, rivalsOf } from './hostname-view.ts';
import { oneOf } from './town.ts';
import type { Document } from './view.ts';

/** The names that everybody wants. */
const popular = [
  ...['shop.example.com', 'a.shop.example.com', 'b.a.shop.example.com', '*.shop.example.com'],
  ...['*.a.shop.example.com', 'www.example.net', 'mail.example.net', '*.example.net'],
];

/** What a tenant does with hostnames, the commoner ones more than once. */
export const hostnameEdits: readonly Edit[] = [
  ...[declare, declare, declare, host, host, hostedLease],
  ...[toNextLease, toNextLease, dropHost, reroute, otherName, otherName],
  ...[release, release, returnName, returnName],
];

/** Who has the names: the namespace of a person, or the account. */
function holderOf({ person }: Desk, kind: 'Hostname' | 'Lease'): string {
  return kind === 'Hostname'
    ? `default/namespace/${person.name}`
    : `default/akash/${person.account}`;
}

/** A name that nothing of this tree stands against, rather one that somebody had; now and then any. */
function nameFor(desk: Desk, kind: 'Hostname' | 'Lease'): string | undefined {
  const { person, random, view } = desk;
  const holder = holderOf(desk, kind);
  const own = `${person.name}.example.org`;
  const all = [...popular, own, ...(kind === 'Hostname' ? [`*.${own}`] : [])];
  const fitting = all.filter((name) => kind === 'Hostname' || !name.startsWith('*.'));
  if (random.chance(0.1)) return oneOf(random, fitting);
  const free = fitting.filter((hostname) => {
    const rivals = rivalsOf(view, { hostname, holder });
    const isKept = rivals.recorded.some(({ freeFrom = '~' }) => freeFrom > person.clone.today);
    const isOwn = view.hostnames.some((one) => one.hostname === hostname);
    return !isKept && !isOwn && rivals.declared.length === 0;
  });
  const former = free.filter((name) => view.hostnameRecords.has(name));
  return oneOf(random, former.length > 0 && random.chance(0.3) ? former : free);
}

function writeHostname(desk: Desk, file: string, hostname: string): void {
  const spec = { namespace: desk.person.name, service: 'web', port: 80, hostname };
  write(desk, file, { apiVersion: 'leasehold.dev/v1', kind: 'Hostname', spec });
}

function declare(desk: Desk): Edited | undefined {
  const hostname = nameFor(desk, 'Hostname');
  return hostname === undefined ? undefined : declared(desk, hostname);
}

function declared(desk: Desk, hostname: string): Edited {
  writeHostname(desk, `${desk.person.folder}/hostname-${desk.number}.yaml`, hostname);
  return { did: `hostname '${hostname}'` };
}

function hosted(desk: Desk, hostname: string): Edited {
  const { person, number } = desk;
  const document = leaseDocument(person, number, []);
  delete document.spec.endpoints;
  addHost(document, hostname);
  write(desk, `${person.folder}/lease-${number}.yaml`, document);
  return { did: `lease ${number} of the hostname '${hostname}'` };
}

function addHost({ spec }: Document, hostname: string): void {
  spec.hosts = [...(spec.hosts ?? []), { service: 'web', accept: [hostname] }];
}

/** Removes a hostname from a lease. False when that would leave a lease of nothing. */
function removeHost({ spec }: Document, hostname: string): boolean {
  const left = spec.hosts
    .map((host: Document) => ({
      ...host,
      accept: host.accept.filter((one: string) => one !== hostname),
    }))
    .filter(({ accept }: Document) => accept.length > 0);
  if (left.length > 0) spec.hosts = left;
  else delete spec.hosts;
  return left.length > 0 || spec.endpoints !== undefined;
}

/** A hostname more of a lease. */
function host(desk: Desk): Edited | undefined {
  const file = oneOf(desk.random, ownFiles(desk, 'lease'));
  const hostname = nameFor(desk, 'Lease');
  if (file === undefined || hostname === undefined) return undefined;
  const document = read(desk, file);
  addHost(document, hostname);
  write(desk, file, document);
  return { did: `host '${hostname}' in ${file}` };
}

function hostedLease(desk: Desk): Edited | undefined {
  const hostname = nameFor(desk, 'Lease');
  return hostname === undefined ? undefined : hosted(desk, hostname);
}

/** A hostname of an own lease. */
function ownHost({ person, random, view }: Desk): HostnameView | undefined {
  return oneOf(
    random,
    view.hostnames.filter(({ file, lease }) => lease && file.startsWith(`${person.folder}/`)),
  );
}

/** A hostname goes from a lease to another one of its owner, or to a new one. */
function toNextLease(desk: Desk): Edited | undefined {
  const from = ownHost(desk);
  if (!from) return undefined;
  const others = ownFiles(desk, 'lease').filter((file) => file !== from.file);
  const document = read(desk, from.file);
  if (!removeHost(document, from.hostname)) return undefined;
  write(desk, from.file, document);
  const into = desk.random.chance(0.5) ? oneOf(desk.random, others) : undefined;
  if (into === undefined) hosted(desk, from.hostname);
  else {
    const next = read(desk, into);
    addHost(next, from.hostname);
    write(desk, into, next);
  }
  return { did: `host '${from.hostname}' to another lease` };
}

function dropHost(desk: Desk): Edited | undefined {
  const from = ownHost(desk);
  if (!from) return undefined;
  const document = read(desk, from.file);
  if (!removeHost(document, from.hostname)) return undefined;
  write(desk, from.file, document);
  return { did: `drop the host '${from.hostname}' in ${from.file}` };
}

function ofHostname(
  desk: Desk,
  did: string,
  change: (spec: Document) => boolean,
): Edited | undefined {
  const file = oneOf(desk.random, ownFiles(desk, 'hostname'));
  if (file === undefined) return undefined;
  const document = read(desk, file);
  if (!change(document.spec)) return undefined;
  write(desk, file, document);
  return { did: `${did} in ${file}` };
}

/** Another Service or port for a hostname, which stays with its namespace. */
function reroute(desk: Desk): Edited | undefined {
  return ofHostname(desk, 'reroute a hostname', (spec) => {
    spec.port = 8000 + desk.random.below(50);
    spec.service = oneOf(desk.random, ['web', 'api']);
    return true;
  });
}

/** The file of a hostname names another one. */
function otherName(desk: Desk): Edited | undefined {
  return ofHostname(desk, 'change a hostname', (spec) => {
    const hostname = nameFor(desk, 'Hostname');
    if (hostname !== undefined) spec.hostname = hostname;
    return hostname !== undefined;
  });
}

function release({ person, random, view }: Desk): Edited | undefined {
  const own = view.hostnames.filter(({ file }) => file.startsWith(`${person.folder}/`));
  const { hostname } = oneOf(random, own) ?? {};
  return hostname === undefined
    ? undefined
    : { did: `release '${hostname}'`, command: ['release', hostname] };
}

/** Declares a hostname again that was released. */
function returnName(desk: Desk): Edited | undefined {
  const kinds = ['Hostname', 'Lease'] as const;
  const [kind = 'Hostname'] = desk.random.shuffled(kinds);
  const released = [...desk.view.hostnameRecords.values()].filter(
    ({ holder, freeFrom }) => freeFrom !== undefined && holder === holderOf(desk, kind),
  );
  const record = oneOf(desk.random, released);
  if (!record) return undefined;
  return kind === 'Hostname' ? declared(desk, record.hostname) : hosted(desk, record.hostname);
}
