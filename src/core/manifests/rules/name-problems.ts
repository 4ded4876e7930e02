import { type Claim, claimText, declarerText, type LeaseClaim } from '../../model/claim.ts';
import { claimsIn, type Holder } from '../../model/holder.ts';
import type { Hostname, LeaseHostname, ServiceHostname } from '../../model/hostname.ts';
import { type LeaseId, leaseIdText } from '../../model/lease.ts';
import { type Plane, planeNames } from '../../model/planes.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import type { Position, Problem, Standing } from '../../model/problem.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import {
  addressName,
  leasedIPName,
  leasedIPNamespace,
  leaseNamespace,
  serviceName,
} from '../names.ts';
import { holderPath, servicePath } from '../paths.ts';

/** A DNS-1035 label, which is also the limit of a label value. Source: Kubernetes. */
const longestServiceName = 63;
/** A DNS-1123 subdomain. Source: Kubernetes. */
const longestObjectName = 253;

/** A claim or a declared Service that needs a name. */
interface NameUser {
  readonly text: string;
  /** The text with its lease or declaration. */
  readonly fullText: string;
  readonly at: Position;
}

/** A claim, or what else takes a name. Most are never shown, so their texts are made when they are. */
type Taker = Claim | (() => NameUser);

function userOf(taker: Taker): NameUser {
  return typeof taker === 'function' ? taker() : claimUser(taker);
}

/** A lease that has a namespace, by its first claim or hostname. */
interface NamespaceTaker {
  readonly lease: LeaseId;
  readonly user: Taker;
}

/** The first user of each name in one cluster. */
interface TakenNames {
  readonly files: Map<string, Taker>;
  readonly leasedIPs: Map<string, Taker>;
  readonly namespaces: Map<string, NamespaceTaker>;
  readonly services: Map<string, LeaseClaim>;
  /** The first claim of each address name: see `addressName`. */
  readonly addressNames: Map<string, LeaseClaim>;
  /** Leases that already have a problem with their namespace. */
  readonly reported: Set<string>;
  readonly standing: Standing | undefined;
  readonly problems: Problem[];
}

interface DeclaredNames {
  readonly services: readonly (DeclaredService | Reservation)[];
  readonly hostnames: readonly Hostname[];
}

/**
 * Checks the names that objects would have. They do not depend on addresses.
 *
 * - NAME_TOO_LONG: Kubernetes refuses the name.
 * - NAME_TAKEN: two leases have one namespace, two claims have one Service, ProviderLeasedIP or
 *   file, or a declared Service or hostname is in the namespace of a lease. The problem is at the
 *   later claim in the order of `holders`, or at the Service or hostname unless its standing is
 *   better; the other one is in `also`.
 * - NAMESPACE_REFUSED, NAME_REFUSED: the namespace or name of a declared Service, or of the Service
 *   of a hostname, belongs to Kubernetes, the plane or leasehold.
 *
 * `services` and `hostnames` are all that are declared.
 */
export function nameProblems(
  pools: Pools,
  holders: readonly Holder[],
  { services, hostnames }: DeclaredNames,
  standing?: Standing,
): Problem[] {
  return pools.clusters.flatMap((cluster) => {
    const taken: TakenNames = {
      files: new Map(),
      leasedIPs: new Map(),
      namespaces: new Map(),
      services: new Map(),
      addressNames: new Map(),
      reported: new Set(),
      standing,
      problems: [],
    };
    for (const holder of holders) takeHolder(pools, cluster, taken, holder);
    const ownHostnames = hostnames.filter((declared) => declared.cluster === cluster.name);
    const ofLeases = ownHostnames.filter((declared) => declared.lease !== undefined);
    const ofServices = ownHostnames.filter((declared) => declared.lease === undefined);
    for (const declared of ofLeases) takeLeaseHostname(cluster, taken, declared);
    for (const declared of services) {
      if (declared.cluster === cluster.name) takeDeclared(cluster, taken, declared);
    }
    for (const declared of ofServices) {
      taken.problems.push(...hostnameProblems(cluster, taken, declared));
    }
    return taken.problems;
  });
}

function takeHolder(pools: Pools, cluster: Cluster, taken: TakenNames, holder: Holder): void {
  const [first] = holder.claims;
  // A promise has no file.
  if (!first || !holder.clusters.includes(cluster.name)) return;
  takeName(taken, taken.files, holderPath(cluster, holder), { user: first, ...file });
  for (const claim of claimsIn(holder, cluster.name)) {
    if (claim.kind === 'Lease') takeNames(pools, cluster, taken, claim);
  }
}

function takeDeclared(
  cluster: Cluster,
  taken: TakenNames,
  declared: DeclaredService | Reservation,
): void {
  const { problems } = taken;
  const { kind, namespace, name, at } = declared;
  const text = `${kind} '${namespace}/${name}'`;
  const closed = closedProblem(cluster, namespace, text, at);
  if (closed) {
    problems.push(closed);
    return;
  }
  if (isApiServer(namespace, name)) {
    const message = `${text} is the Service by which pods reach the API server`;
    problems.push({ code: 'NAME_REFUSED', message, at, hint: 'give it another name' });
    return;
  }
  if (kind === 'Service' && !declared.isLeased) {
    const user = (): NameUser => ({ text, fullText: text, at });
    const path = servicePath(cluster, namespace, name);
    takeName(taken, taken.files, path, { user, ...file });
  }
  const why = 'where leasehold names all Services';
  problems.push(...inNamespaceOfLease(taken, { text, namespace, at }, why));
}

/** NAME_TAKEN for a declaration in the namespace of a lease. */
function inNamespaceOfLease(
  { namespaces, standing = () => '' }: TakenNames,
  {
    text,
    namespace,
    at,
  }: { readonly text: string; readonly namespace: string; readonly at: Position },
  why: string,
): Problem[] {
  const lease = namespaces.get(namespace);
  if (!lease) return [];
  const owner = typeof lease.user === 'function' ? lease.user() : lease.user;
  const isLeaseLater = standing(owner) > standing({ at });
  const message = `${text} is in the namespace of lease ${leaseIdText(lease.lease)}, ${why}`;
  const hint = 'move it to another namespace';
  return [
    isLeaseLater
      ? { code: 'NAME_TAKEN', message, at: owner.at, also: [at], hint: leaseHint }
      : { code: 'NAME_TAKEN', message, at, also: [owner.at], hint },
  ];
}

const leaseHint =
  'remove this lease: its numbers are its namespace with naming: readable, and the other declaration is live';

function hostnameProblems(
  cluster: Cluster,
  taken: TakenNames,
  { hostname, namespace, service, at }: ServiceHostname,
): Problem[] {
  const text = `Hostname '${hostname}'`;
  const closed = closedProblem(cluster, namespace, text, at);
  if (closed) return [closed];
  if (isApiServer(namespace, service)) {
    const message = `${text} leads to the Service by which pods reach the API server`;
    return [{ code: 'NAME_REFUSED', message, at, hint: 'name another Service' }];
  }
  return inNamespaceOfLease(taken, { text, namespace, at }, 'which belongs to that lease');
}

function takeLeaseHostname(
  { naming }: Cluster,
  taken: TakenNames,
  { hostname, service, lease, at }: LeaseHostname,
): void {
  const text = `the hostname ${hostname}`;
  const user = (): NameUser => {
    return { text, fullText: `${text} of lease ${leaseIdText(lease)}`, at };
  };
  checkLength(taken, { kind: 'Service', name: service, most: longestServiceName, at });
  takeNamespace(naming, taken, { lease, user });
}

/** NAMESPACE_REFUSED for a declaration in a closed namespace. */
function closedProblem(
  { plane }: Cluster,
  namespace: string,
  text: string,
  at: Position,
): Problem | undefined {
  const reason = closedNamespace(namespace, plane);
  if (reason === undefined) return undefined;
  const message = `${text} is in the namespace ${namespace}, ${reason}`;
  return { code: 'NAMESPACE_REFUSED', message, at, hint: 'move it to another namespace' };
}

function isApiServer(namespace: string, service: string): boolean {
  return namespace === 'default' && service === 'kubernetes';
}

/** Explains why a namespace may not have declared Services and hostnames; undefined when it may. */
export function closedNamespace(
  namespace: string,
  plane: Pick<Plane, 'kind' | 'namespace'>,
): string | undefined {
  if (kubernetesNamespaces.has(namespace)) return 'which belongs to Kubernetes';
  if (namespace === plane.namespace) {
    return `which belongs to ${planeNames[plane.kind]}`;
  }
  return namespace === leasedIPNamespace ? 'which is reserved for ProviderLeasedIPs' : undefined;
}

/** The namespaces of a new cluster, without `default`. */
const kubernetesNamespaces = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** Takes the names of the objects of a claim. */
function takeNames(
  { emit }: Pools,
  { naming }: Cluster,
  taken: TakenNames,
  claim: LeaseClaim,
): void {
  const { at } = claim;
  const leasedIP = leasedIPName(naming, claim);
  const service = serviceName(naming, claim);
  checkLength(taken, { kind: 'ProviderLeasedIP', name: leasedIP, most: longestObjectName, at });
  checkLength(taken, { kind: 'Service', name: service, most: longestServiceName, at });
  if (emit.providerLeasedIP) {
    const object = `ProviderLeasedIP '${leasedIP}'`;
    const hint =
      'use another externalPort, or set emit.providerLeasedIP: false in leases/pools.yaml';
    takeName(taken, taken.leasedIPs, leasedIP, { user: claim, object, hint });
  }
  if (!takeNamespace(naming, taken, { lease: claim.lease, user: claim })) return;
  const namespace = leaseNamespace(naming, claim.lease);
  takeService(naming, taken, claim, `${namespace}/${service}`);
  if (emit.addressNames) {
    taken.problems.push(...takeAddressName(taken, claim, { namespace, service }));
  }
}

/**
 * True when the lease has its namespace. NAME_TAKEN when another lease has it: reported once, even
 * when they have several Services.
 */
function takeNamespace(
  naming: Cluster['naming'],
  { namespaces, reported, problems }: TakenNames,
  own: NamespaceTaker,
): boolean {
  const namespace = leaseNamespace(naming, own.lease);
  const first = namespaces.get(namespace);
  if (!first) namespaces.set(namespace, own);
  if (!first || first.lease === own.lease) return true;
  const lease = leaseIdText(own.lease);
  if (leaseIdText(first.lease) === lease) return true;
  if (!reported.has(lease)) {
    reported.add(lease);
    const object = { object: `namespace '${namespace}'`, hint: namespaceHint };
    problems.push(nameTaken(userOf(own.user), userOf(first.user), object));
  }
  return false;
}

function takeService(
  naming: Cluster['naming'],
  { services, problems }: TakenNames,
  claim: LeaseClaim,
  name: string,
): void {
  const first = services.get(name);
  if (!first) services.set(name, claim);
  const isTogether = naming === 'readable' && first?.holder === claim.holder;
  if (!first || isTogether) return;
  const hint =
    naming === 'readable'
      ? 'give the endpoint the same name as the other one, so that they share an address'
      : 'use another externalPort';
  const object = { object: `Service '${name}'`, hint };
  problems.push(nameTaken(claimUser(claim), claimUser(first), object));
}

/**
 * NAME_TAKEN when the Service of an endpoint's address name has the name of a claim's Service. It
 * is reported at the first claim of that Service.
 */
function takeAddressName(
  { services, addressNames }: TakenNames,
  claim: LeaseClaim,
  { namespace, service }: { readonly namespace: string; readonly service: string },
): Problem[] {
  const own = `${namespace}/${service}`;
  if (services.get(own) !== claim) return [];
  const name = `${namespace}/${addressName(claim)}`;
  const hint = 'rename the endpoint or the service';
  const { text, at } = claimUser(claim);
  if (name === own) {
    const message = `the Service of ${text} would have the address name of its own endpoint, '${name}'`;
    return [{ code: 'NAME_TAKEN', message, at, hint }];
  }
  const pairs = [
    [name, services.get(name)],
    [own, addressNames.get(own)],
  ] as const;
  if (!addressNames.has(name)) addressNames.set(name, claim);
  return pairs.flatMap(([shared, other]) =>
    other
      ? nameTaken({ text, fullText: text, at }, claimUser(other), {
          object: `Service '${shared}'`,
          hint,
        })
      : [],
  );
}

function checkLength(
  { problems }: TakenNames,
  { kind, name, most, at }: NamedObject & { readonly most: number },
): void {
  if (name.length <= most) return;
  const message = `the ${kind} name '${name}' has ${name.length} characters, expected at most ${most}`;
  problems.push({ code: 'NAME_TOO_LONG', message, at });
}

interface NamedObject {
  readonly kind: string;
  readonly name: string;
  readonly at: Position;
}

function claimUser(claim: Claim): NameUser {
  const text = claimText(claim);
  const declarer = `${claim.kind === 'Lease' ? 'lease ' : ''}${declarerText(claim)}`;
  return { text, fullText: `${text} of ${declarer}`, at: claim.at };
}

/** NAME_TAKEN when another user has the name. */
function takeName(
  { problems }: TakenNames,
  names: Map<string, Taker>,
  name: string,
  { user, ...object }: TakenObject & { readonly user: Taker },
): void {
  const first = names.get(name);
  if (first) problems.push(nameTaken(userOf(user), userOf(first), object));
  else names.set(name, user);
}

/** An object whose name is taken, and what its second user can do. */
interface TakenObject {
  readonly object: string;
  readonly hint: string;
}

const file: TakenObject = { object: 'file', hint: 'give it another name' };

const namespaceHint =
  'declare the lease in another cluster: with naming: readable, a cluster has one lease of these numbers';

function nameTaken(
  { text, at }: NameUser,
  first: NameUser,
  { object, hint }: TakenObject,
): Problem {
  const message = `${text} would have the same ${object} as ${first.fullText}`;
  return { code: 'NAME_TAKEN', message, at, also: [first.at], hint };
}
