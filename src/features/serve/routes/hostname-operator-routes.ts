import { hostnameNamespace } from '../../../core/manifests/names.ts';
import { heldRecord, isLeaseHostname, type LeaseHostname } from '../../../core/model/hostname.ts';
import { leaseIdText } from '../../../core/model/lease.ts';
import { compareText, groupBy, sortedEntries } from '../../../core/model/order.ts';
import type { Cluster } from '../../../core/model/pools.ts';
import type { Route } from '../../../lib/service/route.ts';
import type { ServedTree } from '../../../lib/service/serve-state.ts';
import { goTime } from '../time-formats.ts';
import { clusterIn, type OperatorScope } from './operator-leases.ts';
import {
  ignoredLease,
  operatorInfo,
  operatorRoute,
  prepared,
  withNumbers,
} from './operator-route.ts';

/**
 * The endpoints of the Akash hostname operator that show hostnames, with its paths and field names:
 * Akash provider, operator/hostname/operator.go and operator/common.
 */
export function hostnameOperatorRoutes(scope: OperatorScope): readonly Route[] {
  const managed = operatorInfo(
    'getManagedHostnames',
    '/managed-hostnames',
    'Every hostname that a lease holds, with its Service',
    'OperatorManagedHostnames',
  );
  const ignored = operatorInfo(
    'getIgnoredHostnames',
    '/ignore-list',
    'Leases with hostnames and invalid declarations, served from the last valid state',
    'OperatorIgnoredLeases',
  );
  return [
    operatorRoute(managed, scope, (served) => prepared(served, managedText(served, scope))),
    operatorRoute(ignored, scope, (served) => prepared(served, ignoredText(served, scope))),
  ];
}

/** A hostname that a lease holds. */
interface HeldHostname {
  readonly declared: LeaseHostname;
  readonly namespace: string;
  /** The day since when its owner has it. */
  readonly since: string;
}

/** By hostname. */
function heldHostnames({ snapshot }: ServedTree, scope: OperatorScope): readonly HeldHostname[] {
  const { pools, hostnames, hostnameTable } = snapshot;
  const cluster = clusterIn(pools, scope);
  if (cluster === undefined) return [];
  return hostnames
    .filter(isLeaseHostname)
    .filter((declared) => isIn(declared, cluster, scope))
    .flatMap((declared) => {
      const record = heldRecord(hostnameTable, declared);
      if (record === undefined) return [];
      const namespace = hostnameNamespace(cluster.naming, declared);
      return [{ declared, namespace, since: record.since }];
    })
    .sort((left, right) => compareText(left.declared.hostname, right.declared.hostname));
}

function isIn(declared: LeaseHostname, cluster: Cluster, { provider }: OperatorScope): boolean {
  const isOfProvider = provider === undefined || declared.lease.provider === provider;
  return isOfProvider && declared.cluster === cluster.name;
}

function managedText(served: ServedTree, scope: OperatorScope): string {
  const managed = heldHostnames(served, scope).map(({ declared, namespace, since }) => {
    const { owner, dseq, gseq, oseq, provider } = declared.lease;
    const entry = {
      LeaseID: { owner, dseq, gseq, oseq, provider, bseq: 0 },
      Namespace: namespace,
      ExternalPort: declared.port,
      ServiceName: declared.service,
      LastUpdate: goTime(`${since}T00:00:00Z`),
    };
    return [declared.hostname, entry] as const;
  });
  return `${withNumbers(JSON.stringify(Object.fromEntries(managed)))}\n`;
}

function ignoredText(served: ServedTree, scope: OperatorScope): string {
  const problems = new Map(served.snapshot.problems.map((problem) => [problem.at.file, problem]));
  const leases = groupBy(heldHostnames(served, scope), ({ declared: { lease } }) =>
    leaseIdText(lease),
  );
  const ignored = sortedEntries(leases).flatMap(([id, [first, ...others]]) => {
    const problem = problems.get(first.declared.at.file);
    if (problem === undefined) return [];
    const hostnames = [first, ...others].map(({ declared }) => declared.hostname);
    const { namespace } = first;
    return [[id, ignoredLease(problem, served, { hostnames, namespace })] as const];
  });
  return `${JSON.stringify(Object.fromEntries(ignored))}\n`;
}
