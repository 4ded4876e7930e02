import { type Claim, claimText, declarerText, type LeaseClaim } from '../../model/claim.ts';
import { claimsIn, type Holder } from '../../model/holder.ts';
import { leaseIdText } from '../../model/lease.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import type { Position, Problem } from '../../model/problem.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { sameLease } from '../metadata.ts';
import { leasedIPName, leasedIPNamespace, leaseNamespace, serviceName } from '../names.ts';
import { holderPath, servicePath } from '../paths.ts';

/** Kubernetes: a DNS-1035 label, which is also what a label value holds. */
const longestServiceName = 63;
/** Kubernetes: a DNS-1123 subdomain. */
const longestObjectName = 253;

/** What asks for a name: as a message names it, alone and as the other of two. */
interface Taker {
  readonly text: string;
  readonly whole: string;
  readonly at: Position;
}

/** Who took which name first, in one cluster. */
interface TakenNames {
  readonly files: Map<string, Taker>;
  readonly leasedIPs: Map<string, Taker>;
  readonly namespaces: Map<string, LeaseClaim>;
  readonly services: Map<string, LeaseClaim>;
  /** Leases already named in a problem of their namespace. */
  readonly clashes: Set<string>;
}

/**
 * What is wrong with the names that objects would get, whatever their addresses: NAME_TOO_LONG; NAME_TAKEN where two
 * claims want one namespace for two leases, one Service, one ProviderLeasedIP or one file, or where a declared Service
 * stands in a lease's namespace; NAMESPACE_REFUSED and NAME_REFUSED. The later claim in the order of `holders` is at fault, and a
 * declared Service rather than a lease; the earlier one is in `also`. `services` are all that are declared.
 */
export function nameProblems(
  pools: Pools,
  holders: readonly Holder[],
  services: readonly (DeclaredService | Reservation)[],
): Problem[] {
  return pools.clusters.flatMap((cluster) => {
    const taken: TakenNames = {
      files: new Map(),
      leasedIPs: new Map(),
      namespaces: new Map(),
      services: new Map(),
      clashes: new Set(),
    };
    const own = holders.filter((holder) => holder.clusters.includes(cluster.name));
    return [
      ...own.flatMap((holder) => [
        ...take(taken.files, holderPath(cluster, holder), claimTaker(holder.claims[0]), 'the file'),
        ...claimsIn(holder, cluster.name).flatMap((claim) =>
          claim.kind === 'Lease' ? claimProblems(pools, cluster, taken, claim) : [],
        ),
      ]),
      ...services
        .filter((declared) => declared.cluster === cluster.name)
        .flatMap((declared) => declaredProblems(cluster, taken, declared)),
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
  const what = closedNamespace(namespace, cluster.metallb.namespace);
  if (what !== undefined) {
    const message = `${text} stands in the namespace ${namespace}, ${what}`;
    return [{ code: 'NAMESPACE_REFUSED', message, at, hint: 'put it into a namespace of its own' }];
  }
  if (namespace === 'default' && name === 'kubernetes') {
    const message = `${text} is the API server's own, by which all pods reach it`;
    return [{ code: 'NAME_REFUSED', message, at, hint: 'give it another name' }];
  }
  const problems: Problem[] = [];
  if (kind === 'Service' && !declared.isLeased) {
    const path = servicePath(cluster, namespace, name);
    problems.push(...take(taken.files, path, { text, whole: text, at }, 'the file'));
  }
  const lease = taken.namespaces.get(namespace);
  if (lease) {
    problems.push({
      code: 'NAME_TAKEN',
      message: `${text} stands in the namespace of lease ${declarerText(lease)}, whose Services leasehold names`,
      at,
      also: [lease.at],
      hint: 'put it into a namespace of its own',
    });
  }
  return problems;
}

/** Why no declared Service may stand in a namespace, or undefined when one may. */
export function closedNamespace(namespace: string, metallbNamespace: string): string | undefined {
  if (kubernetesNamespaces.has(namespace)) return 'which is of Kubernetes itself';
  if (namespace === metallbNamespace) return 'which is that of MetalLB';
  return namespace === leasedIPNamespace ? 'which is for ProviderLeasedIPs' : undefined;
}

/** Those that a cluster has from its beginning, but for `default`. */
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
    ...tooLong('ProviderLeasedIP', leasedIP, longestObjectName, claim),
    ...tooLong('Service', service, longestServiceName, claim),
  ];
  const taker = claimTaker(claim);
  if (emit.providerLeasedIP) {
    problems.push(...take(taken.leasedIPs, leasedIP, taker, `the ProviderLeasedIP '${leasedIP}'`));
  }
  const namespace = leaseNamespace(naming, claim.lease);
  const tenant = taken.namespaces.get(namespace) ?? claim;
  if (sameLease(tenant.lease, claim.lease)) {
    taken.namespaces.set(namespace, tenant);
    return [...problems, ...serviceTaken(naming, taken, claim, `${namespace}/${service}`)];
  }
  // A namespace of two leases is one problem, however many Services they have.
  const lease = leaseIdText(claim.lease);
  if (!taken.clashes.has(lease)) {
    taken.clashes.add(lease);
    problems.push(nameTaken(taker, claimTaker(tenant), `the namespace '${namespace}'`));
  }
  return problems;
}

function serviceTaken(
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
      ? 'give both endpoints one name, so that they share an address'
      : 'give one of the two another externalPort';
  return [{ ...nameTaken(claimTaker(claim), claimTaker(first), `the Service '${name}'`), hint }];
}

function tooLong(kind: string, name: string, most: number, { at }: Claim): Problem[] {
  if (name.length <= most) return [];
  const message = `the ${kind} name '${name}' has ${name.length} characters, expected at most ${most}`;
  return [{ code: 'NAME_TOO_LONG', message, at }];
}

function claimTaker(claim: Claim): Taker {
  const text = claimText(claim);
  const whose = `${claim.kind === 'Lease' ? 'lease ' : ''}${declarerText(claim)}`;
  return { text, whole: `${text} of ${whose}`, at: claim.at };
}

function take(taken: Map<string, Taker>, name: string, taker: Taker, what: string): Problem[] {
  const first = taken.get(name);
  if (!first) {
    taken.set(name, taker);
    return [];
  }
  return [nameTaken(taker, first, what)];
}

function nameTaken({ text, at }: Taker, first: Taker, what: string): Problem {
  const message = `${what} of ${text} would also be that of ${first.whole}`;
  return { code: 'NAME_TAKEN', message, at, also: [first.at] };
}
