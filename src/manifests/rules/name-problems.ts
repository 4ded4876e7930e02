import { type Claim, claimText, declarerText, type LeaseClaim } from '../../model/claim.ts';
import { claimsIn, type Holder } from '../../model/holder.ts';
import type { Hostname, LeaseHostname, ServiceHostname } from '../../model/hostname.ts';
import { type LeaseId, leaseIdText } from '../../model/lease.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import type { Position, Problem } from '../../model/problem.ts';
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

/** Most users are never shown, so their texts are made when they are. */
type Taker = () => NameUser;

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
}

/**
 * Checks the names that objects would have. They do not depend on addresses.
 *
 * - NAME_TOO_LONG: Kubernetes refuses the name.
 * - NAME_TAKEN: two leases have one namespace, two claims have one Service, ProviderLeasedIP or
 *   file, or a declared Service or hostname is in the namespace of a lease. The problem is at the
 *   later claim in the order of `holders`, or at the Service or hostname; the earlier one is in
 *   `also`.
 * - NAMESPACE_REFUSED, NAME_REFUSED: the namespace or name of a declared Service, or of the Service
 *   of a hostname, belongs to Kubernetes, MetalLB or leasehold.
 *
 * `services` and `hostnames` are all that are declared.
 */
export function nameProblems(
  pools: Pools,
  holders: readonly Holder[],
  services: readonly (DeclaredService | Reservation)[],
  hostnames: readonly Hostname[],
): Problem[] {
  return pools.clusters.flatMap((cluster) => {
    const taken: TakenNames = {
      files: new Map(),
      leasedIPs: new Map(),
      namespaces: new Map(),
      services: new Map(),
      addressNames: new Map(),
      reported: new Set(),
    };
    const own = holders.filter((holder) => holder.clusters.includes(cluster.name));
    const ownHostnames = hostnames.filter((declared) => declared.cluster === cluster.name);
    return [
      ...own.flatMap((holder) => {
        const [first] = holder.claims;
        // A promise has no file.
        if (!first) return [];
        return [
          ...takeName(taken.files, holderPath(cluster, holder), () => claimUser(first), 'file'),
          ...claimsIn(holder, cluster.name).flatMap((claim) =>
            claim.kind === 'Lease' ? claimProblems(pools, cluster, taken, claim) : [],
          ),
        ];
      }),
      ...ownHostnames.flatMap((declared) =>
        declared.lease ? leaseHostnameProblems(cluster, taken, declared) : [],
      ),
      ...services
        .filter((declared) => declared.cluster === cluster.name)
        .flatMap((declared) => declaredProblems(cluster, taken, declared)),
      ...ownHostnames.flatMap((declared) =>
        declared.lease ? [] : hostnameProblems(cluster, taken, declared),
      ),
    ];
  });
}

function declaredProblems(
  cluster: Cluster,
  taken: TakenNames,
  declared: DeclaredService | Reservation,
): Problem[] {
  const { kind, namespace, name, at } = declared;
  const text = `${kind} '${namespace}/${name}'`;
  const closed = closedProblem(cluster, namespace, text, at);
  if (closed) return [closed];
  if (isApiServer(namespace, name)) {
    const message = `${text} is the Service by which pods reach the API server`;
    return [{ code: 'NAME_REFUSED', message, at, hint: 'give it another name' }];
  }
  const problems: Problem[] = [];
  if (kind === 'Service' && !declared.isLeased) {
    const path = servicePath(cluster, namespace, name);
    problems.push(...takeName(taken.files, path, () => ({ text, fullText: text, at }), 'file'));
  }
  const lease = taken.namespaces.get(namespace);
  if (lease) {
    problems.push({
      code: 'NAME_TAKEN',
      message: `${text} is in the namespace of lease ${leaseIdText(lease.lease)}, where leasehold names all Services`,
      at,
      also: [lease.user().at],
      hint: 'move it to another namespace',
    });
  }
  return problems;
}

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
  const lease = taken.namespaces.get(namespace);
  if (!lease) return [];
  const message = `${text} is in the namespace of lease ${leaseIdText(lease.lease)}, which belongs to that lease`;
  const hint = 'move it to another namespace';
  return [{ code: 'NAME_TAKEN', message, at, also: [lease.user().at], hint }];
}

function leaseHostnameProblems(
  { naming }: Cluster,
  taken: TakenNames,
  { hostname, service, lease, at }: LeaseHostname,
): Problem[] {
  const text = `the hostname ${hostname}`;
  const user = (): NameUser => {
    return { text, fullText: `${text} of lease ${leaseIdText(lease)}`, at };
  };
  return [
    ...tooLong('Service', service, longestServiceName, at),
    ...(takeNamespace(naming, taken, { lease, user }) ?? []),
  ];
}

/** NAMESPACE_REFUSED for a declaration in a closed namespace. */
function closedProblem(
  { metallb }: Cluster,
  namespace: string,
  text: string,
  at: Position,
): Problem | undefined {
  const reason = closedNamespace(namespace, metallb.namespace);
  if (reason === undefined) return undefined;
  const message = `${text} is in the namespace ${namespace}, ${reason}`;
  return { code: 'NAMESPACE_REFUSED', message, at, hint: 'move it to another namespace' };
}

function isApiServer(namespace: string, service: string): boolean {
  return namespace === 'default' && service === 'kubernetes';
}

/** Explains why a namespace may not have declared Services and hostnames; undefined when it may. */
export function closedNamespace(namespace: string, metallbNamespace: string): string | undefined {
  if (kubernetesNamespaces.has(namespace)) return 'which belongs to Kubernetes';
  if (namespace === metallbNamespace) return 'which belongs to MetalLB';
  return namespace === leasedIPNamespace ? 'which is reserved for ProviderLeasedIPs' : undefined;
}

/** The namespaces of a new cluster, without `default`. */
const kubernetesNamespaces = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

function claimProblems(
  { emit }: Pools,
  { naming }: Cluster,
  taken: TakenNames,
  claim: LeaseClaim,
): Problem[] {
  const leasedIP = leasedIPName(naming, claim);
  const service = serviceName(naming, claim);
  const problems = [
    ...tooLong('ProviderLeasedIP', leasedIP, longestObjectName, claim.at),
    ...tooLong('Service', service, longestServiceName, claim.at),
  ];
  const user = (): NameUser => claimUser(claim);
  if (emit.providerLeasedIP) {
    problems.push(...takeName(taken.leasedIPs, leasedIP, user, `ProviderLeasedIP '${leasedIP}'`));
  }
  const refused = takeNamespace(naming, taken, { lease: claim.lease, user });
  if (refused) return [...problems, ...refused];
  const namespace = leaseNamespace(naming, claim.lease);
  problems.push(...takeService(naming, taken, claim, `${namespace}/${service}`));
  if (emit.addressNames) {
    problems.push(...takeAddressName(taken, claim, { namespace, service }));
  }
  return problems;
}

/**
 * Undefined when the lease has its namespace. NAME_TAKEN when another lease has it: reported once,
 * even when they have several Services.
 */
function takeNamespace(
  naming: Cluster['naming'],
  taken: TakenNames,
  own: NamespaceTaker,
): Problem[] | undefined {
  const namespace = leaseNamespace(naming, own.lease);
  const first = taken.namespaces.get(namespace);
  if (!first) taken.namespaces.set(namespace, own);
  const lease = leaseIdText(own.lease);
  if (!first || leaseIdText(first.lease) === lease) return undefined;
  if (taken.reported.has(lease)) return [];
  taken.reported.add(lease);
  return [nameTaken(own.user(), first.user(), `namespace '${namespace}'`)];
}

function takeService(
  naming: Cluster['naming'],
  { services }: TakenNames,
  claim: LeaseClaim,
  name: string,
): Problem[] {
  const first = services.get(name);
  if (!first) services.set(name, claim);
  const isTogether = naming === 'readable' && first?.holder === claim.holder;
  if (!first || isTogether) return [];
  const hint =
    naming === 'readable'
      ? 'give both endpoints the same name, so that they share an address'
      : 'give one of the two a different externalPort';
  return [{ ...nameTaken(claimUser(claim), claimUser(first), `Service '${name}'`), hint }];
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
      ? [
          {
            ...nameTaken({ text, fullText: text, at }, claimUser(other), `Service '${shared}'`),
            hint,
          },
        ]
      : [],
  );
}

function tooLong(kind: string, name: string, most: number, at: Position): Problem[] {
  if (name.length <= most) return [];
  const message = `the ${kind} name '${name}' has ${name.length} characters, expected at most ${most}`;
  return [{ code: 'NAME_TOO_LONG', message, at }];
}

function claimUser(claim: Claim): NameUser {
  const text = claimText(claim);
  const declarer = `${claim.kind === 'Lease' ? 'lease ' : ''}${declarerText(claim)}`;
  return { text, fullText: `${text} of ${declarer}`, at: claim.at };
}

function takeName(taken: Map<string, Taker>, name: string, user: Taker, object: string): Problem[] {
  const first = taken.get(name);
  if (!first) {
    taken.set(name, user);
    return [];
  }
  return [nameTaken(user(), first(), object)];
}

function nameTaken({ text, at }: NameUser, first: NameUser, object: string): Problem {
  const message = `${text} would have the same ${object} as ${first.fullText}`;
  return { code: 'NAME_TAKEN', message, at, also: [first.at] };
}
