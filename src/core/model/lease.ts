import { type Address, bothFamilies, type Family, formatAddress } from '../net/address.ts';
import { type Day, dayBefore } from './day.ts';
import { compareText } from './order.ts';
import type { Position } from './problem.ts';

/** Transport protocol of an endpoint, in the upper case that Kubernetes and Akash write. */
export type Protocol = 'TCP' | 'UDP';

/** The families an endpoint asks for. `dual` is one address of each, both from one pool. */
export const ipFamilies = [...bothFamilies, 'dual'] as const;
export type IPFamily = (typeof ipFamilies)[number];

/** The families of the addresses that an endpoint gets. */
export function requestedFamilies(family: IPFamily): readonly Family[] {
  return family === 'dual' ? bothFamilies : [family];
}

/** The longest retention, in whole days, that a declaration can request. */
export const longestRetention = 30;

/** The id of a lease on Akash: the five parts of the CRD's `lease_id`. */
export interface LeaseId {
  /** The tenant's bech32 address. */
  readonly owner: string;
  /** Deployment sequence: a decimal uint64, as text because a number would lose digits. */
  readonly dseq: string;
  /** Group sequence, a uint32 from 1. */
  readonly gseq: number;
  /** Order sequence, a uint32 from 1. */
  readonly oseq: number;
  /** The provider's bech32 address. */
  readonly provider: string;
}

/** One exposed port of a service of a lease that requests a leased address. */
export interface Endpoint {
  /**
   * The tenant's name for the IP endpoint. Endpoints of one owner with one name share an address.
   */
  readonly name: string;
  readonly service: string;
  /** The container's port, 1 to 65535. */
  readonly port: number;
  /** The port on the leased address, 1 to 65535. */
  readonly externalPort: number;
  readonly protocol: Protocol;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  /** The name of an advertisement of the pool file; undefined for that of the pool. */
  readonly advertisement: string | undefined;
  readonly ipFamily: IPFamily;
  /** A pin: the address that this endpoint must get. */
  readonly address: Address | undefined;
  /** The place of the pin. */
  readonly addressAt?: Position | undefined;
  /** Whole days the address is kept after release, 0 to {@link longestRetention}. */
  readonly retentionDays: number;
  /** The Service's pod selector; undefined takes the one a running provider uses. */
  readonly selector: Readonly<Record<string, string>> | undefined;
  /** The sharing key that its live Services have; undefined for the one of Akash. */
  readonly liveSharingKey: string | undefined;
  readonly dns: readonly DeclaredDnsName[];
  readonly at: Position;
}

/** True when two endpoints are equal, apart from their places. */
export function isSameEndpoint(left: Endpoint, right: Endpoint): boolean {
  return endpointText(left) === endpointText(right);
}

function endpointText({ address, addressAt, selector, dns, at, ...plain }: Endpoint): string {
  const labels = Object.entries(selector ?? {}).sort(([one], [other]) => compareText(one, other));
  const fields = Object.entries(plain).sort(([one], [other]) => compareText(one, other));
  const names = dns.map(({ name }) => name);
  return JSON.stringify([fields, address && formatAddress(address), selector && labels, names]);
}

/** The options of the proxy that routes a hostname to a lease, as Akash names them. */
export interface HttpOptions {
  /** Bytes. */
  readonly maxBodySize: number;
  /** Milliseconds, as the other times. */
  readonly readTimeout: number;
  readonly sendTimeout: number;
  readonly nextTries: number;
  /** 0 for no limit. */
  readonly nextTimeout: number;
  readonly nextCases: readonly string[];
}

/** Akash's default of nextCases. */
export const defaultCases = ['error', 'timeout'] as const;

/** Akash's defaults. */
export const defaultHttp: HttpOptions = {
  maxBodySize: 1_048_576,
  readTimeout: 60_000,
  sendTimeout: 60_000,
  nextTries: 3,
  nextTimeout: 0,
  nextCases: defaultCases,
};

/** The highest values that Akash accepts: chain-sdk, go/sdl/v2.go. */
export const mostHttp = {
  maxBodySize: 104_857_600,
  readTimeout: 60_000,
  sendTimeout: 60_000,
} as const satisfies Partial<HttpOptions>;

/** The cases that Akash accepts in nextCases. `off` stands alone. */
export const nextCases = [
  ...(['error', 'timeout', '500', '502', '503', '504'] as const),
  ...(['403', '404', '429', 'off'] as const),
] as const;

/** The options as texts, such as `maxBodySize 1048576`; cases in the order of the declaration. */
export function httpFields(http: HttpOptions): readonly string[] {
  return optionNames.map((option) => optionText(http, option));
}

/** The options that differ from Akash's defaults, as texts: `maxBodySize` to `maxBodySize 2048`. */
export function unusualOptions(http: HttpOptions): ReadonlyMap<keyof HttpOptions, string> {
  const texts = optionNames.map((option) => [option, optionText(http, option)] as const);
  return new Map(texts.filter(([option, text]) => text !== optionText(defaultHttp, option)));
}

const optionNames = Object.keys(defaultHttp) as (keyof HttpOptions)[];

function optionText(http: HttpOptions, option: keyof HttpOptions): string {
  const value = http[option];
  return `${option} ${typeof value === 'number' ? value : value.join(' ')}`;
}

/** A hostname of a service of a lease. Akash routes it to the service's port 80. */
export interface LeaseHost {
  readonly service: string;
  /** In canonical form: see `dnsNameFault`. It is no wildcard. */
  readonly hostname: string;
  readonly http: HttpOptions;
  readonly at: Position;
}

/** A lease declaration, normalized. */
export interface Lease {
  readonly id: LeaseId;
  readonly cluster: string;
  /** Empty for a lease that only has hostnames. */
  readonly endpoints: readonly Endpoint[];
  /** Without those of an SDL when the cluster has no routes. */
  readonly hosts: readonly LeaseHost[];
  /** The declaration's `spec.id`, or its first line. */
  readonly at: Position;
}

/** A lease id as Akash writes it: `owner/dseq/gseq/oseq/provider`. */
export function leaseIdText(id: LeaseId): string {
  return `${id.owner}/${id.dseq}/${id.gseq}/${id.oseq}/${id.provider}`;
}

/** The beginnings of a lease id that name it: the owner, `owner/dseq`, and so on to the whole id. */
export function leaseIdBeginnings(id: LeaseId): readonly string[] {
  const parts = leaseIdText(id).split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * Where to look for a lease by a dseq that none has now, as the end of a sentence. Empty for a name
 * without one.
 */
export function pastLeaseAdvice(name: string): string {
  const dseq = /(?:^|\/)(\d{4,20})(?:\/|$)/.exec(name)?.[1];
  if (dseq === undefined) return '';
  return `; no lease has this dseq now: \`git log -S${dseq} --first-parent -m --patch -- leases\` shows when one had it, and its endpoints`;
}

/** The numbers of a lease id, which tell the leases of an owner apart: `dseq/gseq/oseq`. */
export function leaseNumbersText({ dseq, gseq, oseq }: LeaseId): string {
  return `${dseq}/${gseq}/${oseq}`;
}

/** A DNS name that a declaration requests for its address. */
export interface DeclaredDnsName {
  /** In canonical form: see `dnsNameFault`. */
  readonly name: string;
  readonly at: Position;
}

/** An address that a declaration requests, and its place. */
export interface Pin {
  readonly address: Address;
  readonly at: Position;
  /** True for the new address of a move, which no declaration has: the place is the holder's. */
  readonly isMoveTarget?: boolean;
}

/** The most days from the day of a run or commit to the last day of a promise. */
export const mostPromisedDays = 30;

/**
 * A declared `Promise`: an address for an IP endpoint of an Akash owner, before there is a lease.
 * It has no port, so it is not a claim. Its holder is that of the endpoint's leases: a lease that
 * is declared later has the address already.
 */
export interface AddressPromise {
  readonly kind: 'Promise';
  readonly cluster: string;
  /** The tenant's bech32 address. */
  readonly owner: string;
  /** The tenant's IP endpoint name. */
  readonly endpoint: string;
  /** See `Holder.id`. */
  readonly holder: string;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  readonly ipFamily: IPFamily;
  /** The last day. */
  readonly until: Day;
  readonly at: Position;
}

/** The first day on which a promise is not too long. */
export function firstPromisedDay({ until }: Pick<AddressPromise, 'until'>): Day {
  let day = until;
  for (let count = 0; count < mostPromisedDays; count += 1) day = dayBefore(day);
  return day;
}

/** True from the day after the last day on. */
export function isPromiseOver({ until }: Pick<AddressPromise, 'until'>, today: Day): boolean {
  return until < today;
}

/** A promise in a message: `the promise for shop until 2026-12-01`. */
export function promiseText({ endpoint, until }: AddressPromise): string {
  return `the promise for ${endpoint} until ${until}`;
}

/** True when two promises are equal, apart from their places. */
export function isSamePromise(left: AddressPromise, right: AddressPromise): boolean {
  return promiseFields(left) === promiseFields(right);
}

/** Returns all fields of a promise except its place, as a key. Equal for equal promises. */
export function promiseFields({ holder, zone, pool, ipFamily, until }: AddressPromise): string {
  return JSON.stringify([holder, zone, pool, ipFamily, until]);
}
