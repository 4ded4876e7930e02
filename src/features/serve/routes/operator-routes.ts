import { isAkashAddress } from '../../../core/declarations/akash-fields.ts';
import { endpointKey } from '../../../core/model/claim.ts';
import type { WebAnswer, WebRequest } from '../../../lib/http/web.ts';
import { jsonType, type Route } from '../../../lib/service/route.ts';
import { capacityInputOf, type ServedTree } from '../../../lib/service/serve-state.ts';
import { goTime } from '../time-formats.ts';
import {
  byLeaseId,
  isZoneDeclared,
  leaseKey,
  namespaceOf,
  type OperatorLease,
  type OperatorLeases,
  type OperatorScope,
  operatorUsage,
} from './operator-leases.ts';
import {
  goJson,
  ignoredLease,
  operatorError,
  operatorInfo,
  operatorRoute,
  prepared,
  withNumbers,
} from './operator-route.ts';

/**
 * The endpoints of the Akash IP operator, with its paths, field names and status codes: Akash
 * provider, operator/ip/operator.go and operator/common. The client of a provider
 * (cluster/kube/operators/clients/ip) reads health, usage and ip-lease-status.
 */
export function operatorRoutes(version: string, leases: OperatorLeases): readonly Route[] {
  return [versionRoute(version), usageRoute(leases.scope), ...leaseRoutes(leases)];
}

function versionRoute(version: string): Route {
  const info = operatorInfo(
    'getOperatorVersion',
    '/version',
    'The version of the program',
    'OperatorVersion',
  );
  return { ...info, of: 'state', answer: () => goJson(versionInfo(version)) };
}

function usageRoute(scope: OperatorScope): Route {
  const info = operatorInfo(
    'getOperatorUsage',
    '/usage',
    'How many IPv4 addresses leases may get',
    'OperatorUsage',
  );
  return operatorRoute(info, scope, (served) => usageAnswer(served, scope));
}

/** The paths that show leases: all with an address, those with problems, and one by its id. */
function leaseRoutes(leases: OperatorLeases): readonly Route[] {
  const { scope } = leases;
  const state = operatorInfo(
    'getOperatorState',
    '/state',
    'Every claim of a lease that has an address',
    'OperatorState',
  );
  const ignored = operatorInfo(
    'getIgnoredLeases',
    '/ignored-leases',
    'Leases with invalid declarations, served from the last valid state',
    'OperatorIgnoredLeases',
  );
  const status = operatorInfo(
    'getLeaseStatus',
    '/ip-lease-status/{owner}/{dseq}/{gseq}/{oseq}',
    'The addresses of a lease, one entry for each port; 204 when it has none',
    'OperatorLeaseStatus',
  );
  return [
    operatorRoute(state, scope, (served) =>
      prepared(served, stateText(leases.of(served.snapshot))),
    ),
    operatorRoute(ignored, scope, (served) =>
      prepared(served, ignoredText(served, leases.of(served.snapshot))),
    ),
    operatorRoute(status, scope, (served, request) =>
      leaseStatus(leases.of(served.snapshot), request),
    ),
  ];
}

function usageAnswer(served: ServedTree, scope: OperatorScope): WebAnswer {
  const { snapshot, day, pending } = served;
  // Zeros would look like a full zone.
  if (!isZoneDeclared(snapshot.pools, scope)) {
    return operatorError(503, `leases/pools.yaml has no pool in zone ${scope.zone}`);
  }
  const input = capacityInputOf(served);
  const usage = operatorUsage(snapshot, scope, { day, pending, input });
  return prepared(served, `${JSON.stringify(usage)}\n`);
}

/** The fields of the provider's version.Info; those of a Go program are empty. */
function versionInfo(version: string) {
  return {
    name: 'leasehold',
    server_name: 'leasehold',
    version,
    commit: '',
    build_tags: '',
    go: '',
    build_deps: [],
    cosmos_sdk_version: '',
  };
}

function stateText(leases: ReadonlyMap<string, readonly OperatorLease[]>): string {
  const state = byLeaseId(leases.values()).map(([id, entries]) => [id, entries.map(stateEntry)]);
  return `${withNumbers(JSON.stringify(Object.fromEntries(state)))}\n`;
}

function stateEntry(entry: OperatorLease) {
  const { claim, since } = entry;
  const { owner, dseq, gseq, oseq, provider } = claim.lease;
  return {
    'last-event-time': goTime(`${since}T00:00:00Z`),
    'lease-id': { owner, dseq, gseq, oseq, provider, bseq: 0 },
    namespace: namespaceOf(entry),
    port: claim.port,
    'external-port': claim.externalPort,
    'service-name': claim.service,
    'sharing-key': endpointKey(claim),
  };
}

function ignoredText(
  served: ServedTree,
  leases: ReadonlyMap<string, readonly OperatorLease[]>,
): string {
  const problems = new Map(served.snapshot.problems.map((problem) => [problem.at.file, problem]));
  const ignored = byLeaseId(leases.values()).flatMap(([id, entries]) => {
    const [first] = entries;
    const problem = entries.map(({ claim }) => problems.get(claim.at.file)).find(Boolean);
    if (first === undefined || problem === undefined) return [];
    const hostnames = entries.map(({ claim }) => endpointKey(claim));
    const namespace = namespaceOf(first);
    return [[id, ignoredLease(problem, served, { hostnames, namespace })] as const];
  });
  return `${JSON.stringify(Object.fromEntries(ignored))}\n`;
}

function leaseStatus(
  leases: ReadonlyMap<string, readonly OperatorLease[]>,
  { params }: WebRequest,
): WebAnswer {
  const dseq = unsigned(params.dseq, 64n);
  const gseq = unsigned(params.gseq, 32n);
  const oseq = unsigned(params.oseq, 32n);
  const owner = params.owner ?? '';
  if (dseq === undefined || gseq === undefined || oseq === undefined || !isAkashAddress(owner)) {
    return operatorError(404, 'expected /ip-lease-status/OWNER/DSEQ/GSEQ/OSEQ');
  }
  const found = leases.get(leaseKey({ owner, dseq, gseq, oseq })) ?? [];
  if (found.length === 0) return { status: 204, type: jsonType, body: '' };
  return goJson(
    found.map(({ claim, ip }) => ({
      Port: claim.port,
      ExternalPort: claim.externalPort,
      ServiceName: claim.service,
      IP: ip,
      Protocol: claim.protocol,
    })),
  );
}

/** Parses as Go's strconv.ParseUint does, and returns the shortest form. */
function unsigned(text: string | undefined, bits: bigint): string | undefined {
  if (text === undefined || !/^\d{1,40}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < 1n << bits ? String(value) : undefined;
}
