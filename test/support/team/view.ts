import { parse } from 'yaml';
import { filesBelow } from '../trees/tree-bytes.ts';
import {
  declaredHostname,
  type HostnameRecordView,
  type HostnameView,
  hostnameRecordOf,
  leaseHostnames,
  routedIn,
} from './hostname-view.ts';
import { fieldOf, type RecordFields, recordFieldsOf } from './record-fields.ts';

// biome-ignore lint/suspicious/noExplicitAny: a file of any shape is read and edited.
export type Document = any;

/** One port that a declaration asks for, and of whom; or a promise of an address. */
export interface ClaimView {
  readonly holder: string;
  /** Whose quota it counts for. */
  readonly owner: string;
  readonly file: string;
  /** `default dseq` or the name of a Service: what no two files may declare. */
  readonly declares: string;
  readonly families: readonly string[];
  /** Undefined when it names none: the holder's other claims, or the default zone, decide. */
  readonly zone: string | undefined;
  readonly pins: readonly string[];
  readonly retain: number;
  /** `promise` for a promise, which has no port. */
  readonly port: string;
  /** The last day of a promise. */
  readonly until?: string;
}

/** An allocation file. */
export interface RecordView extends RecordFields {
  readonly address: string;
}

/** A pool of the pool file. */
export interface PoolView {
  readonly zone: string;
  readonly addresses: readonly string[];
  readonly reserved?: readonly string[];
  readonly retentionDays?: number;
  readonly state?: string;
}

/** What the files of a tree say, read without any code of the product. */
export interface TreeView {
  readonly claims: readonly ClaimView[];
  /** Also those beside a lease, which have no effect. */
  readonly promises: readonly ClaimView[];
  readonly records: ReadonlyMap<string, RecordView>;
  readonly pools: readonly PoolView[];
  readonly quota: number;
  readonly hostnames: readonly HostnameView[];
  readonly hostnameRecords: ReadonlyMap<string, HostnameRecordView>;
  /** Days that a hostname is kept after its release. */
  readonly hostnameRetention: number;
  /** By the new name of a holder, the names that it had, by the Renames of the tree. */
  readonly renames: ReadonlyMap<string, readonly string[]>;
  /** Hostname to the files of `dist/` that route it. */
  readonly routed: ReadonlyMap<string, readonly string[]>;
  /** Address to the files of `dist/` that announce it. */
  readonly announced: ReadonlyMap<string, readonly string[]>;
  /** The addresses that Services of `dist/` are pinned to, each with its file. */
  readonly pinned: readonly { readonly address: string; readonly file: string }[];
}

/** Reads the working tree below a folder. Throws when a file is broken, as in the middle of a merge. */
export function viewOf(root: string): TreeView {
  const claims: ClaimView[] = [];
  const hostnames: HostnameView[] = [];
  const renames = new Map<string, readonly string[]>();
  const records = new Map<string, RecordView>();
  const hostnameRecords = new Map<string, HostnameRecordView>();
  let pools: PoolsText = { pools: [], quotas: { default: 0 } };
  for (const [file, text] of filesBelow(root, ['leases'])) {
    if (file.startsWith('leases/allocations/')) {
      const record = recordOf(file, text);
      records.set(record.address, record);
    } else if (file.startsWith('leases/hostnames/')) {
      const record = hostnameRecordOf(file, text);
      hostnameRecords.set(record.hostname, record);
    } else if (file === 'leases/pools.yaml') pools = parse(text) as PoolsText;
    else if (file !== 'leases/policy.yaml') {
      const declared = declaredIn(file, text);
      claims.push(...declared.claims);
      hostnames.push(...declared.hostnames);
      for (const { from, to } of declared.renames)
        renames.set(to, [...(renames.get(to) ?? []), from]);
    }
  }
  const leased = new Set(claims.filter(isServed).map(({ holder }) => holder));
  // A promise has no effect beside a lease.
  const effective = claims.filter((claim) => isServed(claim) || !leased.has(claim.holder));
  return {
    claims: effective,
    promises: claims.filter((claim) => !isServed(claim)),
    records,
    pools: pools.pools,
    quota: pools.quotas.default,
    hostnames,
    hostnameRecords,
    hostnameRetention: pools.hostnames?.retentionDays ?? 30,
    renames,
    ...manifests(root),
  };
}

interface PoolsText {
  readonly pools: readonly PoolView[];
  readonly quotas: { readonly default: number };
  readonly hostnames?: { readonly retentionDays: number };
}

/** What one file declares. */
interface DeclaredView {
  readonly claims: readonly ClaimView[];
  readonly hostnames: readonly HostnameView[];
  readonly renames: readonly { readonly from: string; readonly to: string }[];
}

/** False for a promise: nothing is announced for it. */
export function isServed({ port }: ClaimView): boolean {
  return port !== 'promise';
}

/** The family of an address. */
export function familyOf(address: string): string {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** `HOLDER FAMILY` of all that is declared, each once: what has one address. */
export function wantedIn({ claims }: TreeView): ReadonlyMap<string, readonly ClaimView[]> {
  const wanted = new Map<string, ClaimView[]>();
  for (const claim of claims) {
    for (const family of claim.families) {
      const key = `${claim.holder} ${family}`;
      wanted.set(key, [...(wanted.get(key) ?? []), claim]);
    }
  }
  return wanted;
}

/** The names that a holder had before, over any number of Renames. */
export function formersOf({ renames }: TreeView, holder: string): ReadonlySet<string> {
  const formers = new Set(renames.get(holder));
  for (const former of formers) {
    for (const earlier of renames.get(former) ?? []) formers.add(earlier);
  }
  return formers;
}

/** The zone of a holder: the one that a claim of it names, or the default zone. */
export function zoneOf({ claims }: TreeView, id: string): string {
  const own = claims.filter(({ holder }) => holder === id);
  return own.find(({ zone }) => zone !== undefined)?.zone ?? 'inet';
}

/** Address to what has it, `HOLDER FAMILY`. */
export function heldIn({ records }: TreeView): ReadonlyMap<string, string> {
  const held = [...records.values()].filter(({ freeFrom }) => freeFrom === undefined);
  return new Map(held.map(({ address, holder }) => [address, `${holder} ${familyOf(address)}`]));
}

/** How long an address of a holder is kept after its release, in days, by what is declared. */
export function promiseOf(view: TreeView, address: string, claims: readonly ClaimView[]): number {
  const zone = familyOf(address) === 'ipv4' && address.startsWith('203.') ? 'inet' : 'edge';
  const retention = view.pools.find((pool) => pool.zone === zone)?.retentionDays ?? 1;
  return Math.max(retention, ...claims.map(({ retain }) => retain));
}

function recordOf(file: string, text: string): RecordView {
  return { address: fieldOf(text, 'address') ?? '', ...recordFieldsOf(file, text) };
}

/** A declaration is read once for all trees that have it. */
const known = new Map<string, DeclaredView>();

function declaredIn(file: string, text: string): DeclaredView {
  const key = `${file}\n${text}`;
  const declared = known.get(key) ?? readDeclared(file, parse(text));
  known.set(key, declared);
  return declared;
}

function readDeclared(file: string, document: Document): DeclaredView {
  const { kind, spec } = document;
  const none = { claims: [], hostnames: [], renames: [] };
  if (kind === 'Hostname') return { ...none, hostnames: declaredHostname(file, spec) };
  if (kind === 'Rename') return { ...none, renames: spec.holders };
  const hostnames = kind === 'Lease' ? leaseHostnames(file, spec) : [];
  return { ...none, claims: readClaims(file, document), hostnames };
}

function readClaims(file: string, document: Document): readonly ClaimView[] {
  const { kind, metadata, spec } = document;
  if (kind === 'Lease') return leaseClaims(file, spec);
  if (kind === 'Service') return serviceClaims(file, metadata, spec);
  if (kind === 'Promise') return promiseClaims(file, spec);
  const { namespace, service, ports } = spec;
  const shared = { ...spec, pins: spec.addresses ?? [], retain: spec.retentionDays };
  return claimsAt(file, serviceHolder(namespace, service, spec.sharingKey), ports, shared);
}

function leaseClaims(file: string, { id, endpoints = [] }: Document): readonly ClaimView[] {
  return endpoints.flatMap((endpoint: Document) => {
    const { name, port, externalPort = port, protocol, address } = endpoint;
    const holder = {
      holder: `default/akash/${id.owner}-ip-${name}`,
      owner: id.owner,
      declares: `lease ${id.owner} ${id.dseq}`,
    };
    const pins = address === undefined ? [] : [address];
    const shared = { ...endpoint, pins, retain: endpoint.retentionDays };
    return claimsAt(file, holder, [{ port: externalPort, protocol }], shared);
  });
}

function promiseClaims(file: string, spec: Document): readonly ClaimView[] {
  const { owner, endpoint, zone, until, ipFamily = 'ipv4' } = spec;
  const holder = `default/akash/${owner}-ip-${endpoint}`;
  const declares = `promise ${owner} ${endpoint}`;
  const families = ipFamily === 'dual' ? ['ipv4', 'ipv6'] : [ipFamily];
  const promise = { declares, until, port: 'promise' };
  return [{ holder, owner, file, families, zone, pins: [], retain: 0, ...promise }];
}

function serviceClaims(
  file: string,
  { name, namespace, annotations }: Document,
  spec: Document,
): readonly ClaimView[] {
  const said = (key: string): string | undefined => annotations?.[`ipam.vitistack.io/${key}`];
  const pins = said('addresses')?.split(/, ?/) ?? [];
  const retain = Number(said('retention-period-days') ?? 0);
  const shared = { zone: said('zone'), ipFamily: said('ip-family'), pins, retain };
  const holder = serviceHolder(namespace, name, said('allow-local-shared-ip'));
  return claimsAt(file, holder, spec.ports, shared);
}

function serviceHolder(namespace: string, name: string, key: string | undefined) {
  const holder = `default/${key ? `shared/${namespace}/${key}` : `service/${namespace}/${name}`}`;
  return { holder, owner: `default/${namespace}`, declares: `service ${namespace} ${name}` };
}

function claimsAt(
  file: string,
  holder: Pick<ClaimView, 'holder' | 'owner' | 'declares'>,
  ports: readonly { readonly port: number; readonly protocol?: string }[],
  shared: {
    readonly zone?: string | undefined;
    readonly ipFamily?: string | undefined;
    readonly pins: readonly string[];
    readonly retain: number | undefined;
  },
): ClaimView[] {
  const { zone, ipFamily = 'ipv4', pins, retain = 0 } = shared;
  const families = ipFamily === 'dual' ? ['ipv4', 'ipv6'] : [ipFamily];
  return ports.map(({ port, protocol = 'TCP' }) => ({
    ...holder,
    ...{ file, families, zone, pins, retain, port: `${port}/${protocol}` },
  }));
}

function manifests(root: string): Pick<TreeView, 'announced' | 'pinned' | 'routed'> {
  const announced = new Map<string, string[]>();
  const routed = new Map<string, string[]>();
  const pinned: { address: string; file: string }[] = [];
  for (const [file, text] of filesBelow(root, ['dist'])) {
    for (const [, address = ''] of text.matchAll(/^ {4}- ['"]?([\da-f.:]+)\/(?:32|128)['"]?$/gm)) {
      announced.set(address, [...(announced.get(address) ?? []), file]);
    }
    for (const [, list = ''] of text.matchAll(/loadBalancerIPs?"?: ['"]?([\da-f.:,]+)/g)) {
      for (const address of list.split(',')) pinned.push({ address, file });
    }
    const hostname = routedIn(text);
    if (hostname !== undefined) routed.set(hostname, [...(routed.get(hostname) ?? []), file]);
  }
  return { announced, pinned, routed };
}
