import {
  type Claim,
  firstClaims,
  isLeaseClaim,
  type LeaseClaim,
  type ServiceClaim,
} from '../../model/claim.ts';
import { claimsIn, type Placement } from '../../model/holder.ts';
import { type LeaseId, leaseIdText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import type { Cluster } from '../../model/pools.ts';
import type { WrittenService } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import { addressName, addressPoolName, claimNamespace, leaseNamespace } from '../names.ts';
import type { Words } from './file-template.ts';
import type { Shaped } from './templates.ts';

/** A holder with more claims is rendered. */
const mostClaims = 16;

/**
 * The words of a holder in a cluster: the texts and numbers by which its file differs from others
 * of its shape. Undefined when the file must be rendered: it has DNS names, many claims, a NAT, or
 * words that rendering changes.
 */
export function holderWords(cluster: Cluster, placement: Placement): Shaped | undefined {
  const { pool, addresses } = placement;
  const claims = claimsIn(placement.holder, cluster.name);
  if (claims.length > mostClaims || pool.nat.length > 0) return undefined;
  const words = [addressPoolName(addresses[0]), ...addresses.map(formatAddress)];
  const advertisement = placement.holder.advertisement?.name ?? '';
  let shape = `${pool.name} ${advertisement} ${addresses.map(({ family }) => family).join()}`;
  for (const claim of claims) {
    if (claim.dns.length > 0) return undefined;
    if (!isLeaseClaim(claim)) continue;
    const own = leaseWords(cluster, claim);
    if (own.words.some((word) => changed.test(word))) return undefined;
    words.push(...own.words);
    shape += `\n${own.shape}`;
  }
  for (const claim of firstClaims(claims)) {
    const own = serviceWords(claim);
    if (!own?.words.every((word) => ascii.test(word))) return undefined;
    words.push(...own.words);
    shape += `\n${own.shape}`;
  }
  return { shape: claims.length > 1 ? `${shape}\n${relations(cluster, claims)}` : shape, words };
}

/** A word that rendering may change: some names are written in lower case. */
const changed = /[A-Z]|[^ -~]/;
const ascii = /^[ -~]+$/;

function leaseWords({ naming }: Cluster, claim: LeaseClaim): Shaped {
  const { lease, sharingKey, service, port, externalPort, selector = {} } = claim;
  const words = [
    ...leaseIdWords(lease),
    leaseNamespace(naming, lease),
    ...[sharingKey, service, String(port), String(externalPort), addressName(claim)],
    ...Object.values(selector),
  ];
  const labels = claim.selector && JSON.stringify(Object.keys(claim.selector));
  return { shape: `lease ${claim.protocol} ${claim.ipFamily} ${labels}`, words };
}

/** The words of a lease, which are in the labels of its objects. */
export function leaseIdWords({ owner, dseq, gseq, oseq, provider }: LeaseId): Words {
  return [owner, dseq, String(gseq), String(oseq), provider];
}

function serviceWords({ declared, sharingKey }: ServiceClaim): Shaped | undefined {
  const { kind, name, namespace, ipFamily } = declared;
  const words = [name, namespace, sharingKey];
  if (kind === 'Reservation') return { shape: `reservation ${ipFamily}`, words };
  const written = writtenWords(declared.written);
  if (!written) return undefined;
  const way = declared.isPinnedByAnnotation ? 'annotation' : 'field';
  const shape = `service ${declared.familyOrder.join()} ${way} ${written.shape}`;
  return { shape, words: [...words, ...written.words] };
}

/** Words are the values of labels, annotations and the selector, and the names and numbers of ports. */
function writtenWords({ labels, annotations, spec }: WrittenService): Shaped | undefined {
  const { selector = {}, ports, ...others } = spec;
  if (!Array.isArray(ports) || typeof selector !== 'object' || selector === null) return undefined;
  const maps = [labels, annotations, selector];
  const words = maps.flatMap((map) => Object.values(map).map(String));
  const shape: unknown[] = [...maps.map((map) => Object.keys(map)), others];
  for (const port of ports) {
    for (const [key, value] of Object.entries(port)) {
      if (isPortWord(key, value)) words.push(String(value));
      shape.push(key, isPortWord(key, value) ? typeof value : value);
    }
    shape.push('');
  }
  const withBigInts = (_: string, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value;
  return { shape: JSON.stringify(shape, withBigInts), words };
}

const portWords = new Set(['name', 'port', 'targetPort']);

/** Reports whether a field of a port is a word. */
export function isPortWord(key: string, value: unknown): value is string | number {
  return portWords.has(key) && (typeof value === 'string' || typeof value === 'number');
}

/** Which claims of a holder have which parts in common: what their objects are grouped by. */
function relations({ naming }: Cluster, claims: readonly Claim[]): string {
  const namespaces = claims.map((claim) => claimNamespace(naming, claim));
  const sorted = [...new Set(namespaces)].sort(compareText);
  const parts: (readonly unknown[])[] = [
    claims.map((claim) => (isLeaseClaim(claim) ? leaseIdText(claim.lease) : claim.declared)),
    claims.map(({ service }) => service),
    claims.map(({ sharingKey }) => sharingKey),
    claims.map((claim) => (isLeaseClaim(claim) ? claim.endpoint : '')),
    claims.map(({ externalPort, protocol }) => `${externalPort}/${protocol}`),
    claims.map(localBackend),
  ];
  return JSON.stringify([
    namespaces.map((namespace) => sorted.indexOf(namespace)),
    ...parts.map((values) => values.map((value) => values.indexOf(value))),
  ]);
}

function localBackend(claim: Claim): string | undefined {
  return isLeaseClaim(claim) ? undefined : claim.declared.localBackend;
}
