import { isHeld } from '../../model/allocation.ts';
import type { DomainProof } from '../../model/domain-proof.ts';
import { holderText } from '../../model/holder.ts';
import { type HostnameRecord, routedService, routeText } from '../../model/hostname.ts';
import { compareText } from '../../model/order.ts';
import type { Routes } from '../../model/pools.ts';
import { counted, fewOf, startOf } from '../../model/problem.ts';
import { poolsPath, proofsFolder } from '../../model/repository-paths.ts';
import { serviceIdText } from '../../model/service.ts';
import type { Declared } from '../../tree/declared.ts';
import { planPlace } from './address-changes.ts';
import { cautionsFor, mostNamed } from './caution-text.ts';
import type { Caution, ChangedHostname } from './plan-answer.ts';

/** ROUTE_CUT for each held hostname that is released or routed to another Service. */
export function routeCautions(changes: readonly ChangedHostname[]): Caution[] {
  const cut = changes.filter(
    ({ before, after }) => before && before.claims[0] !== after?.claims[0] && before.claims[0],
  );
  return cautionsFor(cut, {
    one: ({ hostname, before, after, at }): Caution => ({
      code: 'ROUTE_CUT',
      message: `the hostname ${hostname} of ${holderText(before?.holder ?? '')} is no longer ${[...(before?.claims ?? []), ...(after?.claims ?? [])].join(', but ')}`,
      at,
    }),
    many: (shown, count): Caution => ({
      code: 'ROUTE_CUT',
      message: `${count} hostnames are released or routed to other Services, including ${shown.map(({ hostname }) => hostname).join(', ')}`,
    }),
  });
}

/**
 * ROUTE_CUT for each hostname whose Service, or the port that it is routed to, is no longer
 * declared. One that the base does not declare either can be live all the same.
 */
export function endedServiceCautions(base: Declared, head: Declared): Caution[] {
  const [before, after] = [tcpPorts(base), tcpPorts(head)];
  const ended = head.hostnames.flatMap((declared) => {
    const service = routedService(declared) ?? '';
    const [was, is] = [before.get(service), after.get(service)];
    if (was && !is) return [{ declared, what: 'is no longer declared' }];
    return was?.has(declared.port) && !is?.has(declared.port)
      ? [{ declared, what: `no longer has port ${declared.port}/TCP` }]
      : [];
  });
  return cautionsFor(ended, {
    one: ({ declared, what }): Caution => ({
      code: 'ROUTE_CUT',
      message: `the hostname ${declared.hostname} of ${holderText(declared.holder)} is routed to ${routeText(declared)}, but this Service ${what}`,
      at: planPlace('head', declared.at),
    }),
    many: (shown, count): Caution => ({
      code: 'ROUTE_CUT',
      message: `${count} hostnames are routed to Services or ports that are no longer declared, including ${shown.map(({ declared }) => declared.hostname).join(', ')}`,
    }),
  });
}

/** The TCP ports of each declared Service and Reservation, by `routedService`. */
function tcpPorts({ services }: Declared): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(
    services.map((declared) => [
      `${declared.cluster}/${serviceIdText(declared)}`,
      new Set(declared.ports.flatMap(({ port, protocol }) => (protocol === 'TCP' ? [port] : []))),
    ]),
  );
}

/** ROUTES_MOVED for each cluster whose hostnames all get another Gateway or IngressClass. */
export function routesMovedCautions(base: Declared, head: Declared): Caution[] {
  const before = new Map((base.pools?.clusters ?? []).map(({ name, routes }) => [name, routes]));
  const known = new Set(base.hostnames.map(({ cluster, hostname }) => `${cluster} ${hostname}`));
  return (head.pools?.clusters ?? []).flatMap(({ name, routes }): Caution[] => {
    const was = before.get(name);
    if (!was || !routes || routerText(was) === routerText(routes)) return [];
    const moved = head.hostnames.filter(
      ({ cluster, hostname }) => cluster === name && known.has(`${cluster} ${hostname}`),
    ).length;
    if (moved === 0) return [];
    const message = `${counted(moved, 'hostname')} of cluster ${name} ${moved === 1 ? 'moves' : 'move'} from ${routerText(was)} to ${routerText(routes)}`;
    const at = planPlace('head', head.pools?.clustersAt ?? startOf(poolsPath));
    return [{ code: 'ROUTES_MOVED', message, at }];
  });
}

/** The server of the routes: `Gateway gateways/public`, or `IngressClass nginx`. */
function routerText(routes: Routes): string {
  return routes.kind === 'Ingress'
    ? `IngressClass ${routes.className}`
    : `Gateway ${routes.gateway.namespace}/${routes.gateway.name}`;
}

/** RETENTION_SHORTENED and RETENTION_NONE, for hostnames that are held in the base. */
export function keptHostnameCautions(base: Declared, head: Declared): Caution[] {
  const pairs = [...base.hostnameTable.values()].flatMap((before) => {
    const after = head.hostnameTable.get(before.hostname);
    return after && isHeld(before) ? [{ before, after }] : [];
  });
  const shortened = pairs.filter(
    ({ before, after }) => isHeld(after) && after.retain < before.retain,
  );
  return [
    ...cautionsFor(shortened, {
      one: ({ before, after }): Caution => ({
        code: 'RETENTION_SHORTENED',
        message: `${after.hostname} would be kept ${after.retain} days after its release instead of ${before.retain}`,
        at: planPlace('head', after.at ?? startOf('leases')),
      }),
      many: (shown, count): Caution => ({
        code: 'RETENTION_SHORTENED',
        message: `${count} hostnames would be kept for a shorter time after their release, including ${shown.map(({ after }) => after.hostname).join(', ')}`,
      }),
    }),
    ...shortCautions(pairs.map(({ after }) => after)),
  ];
}

function shortCautions(records: readonly HostnameRecord[]): Caution[] {
  const atOnce = records.filter(({ released }) => released && released.on === released.freeFrom);
  if (atOnce.length === 0) return [];
  const named = fewOf(
    atOnce.map(({ hostname }) => hostname),
    mostNamed,
  );
  return [
    {
      code: 'RETENTION_NONE',
      message: `hostnames have no retention: any namespace can get ${named} on the day of release`,
    },
  ];
}

/** PROOF_CHANGED for each proof of a domain that is new, has another day, or is removed. */
export function proofCautions(base: Declared, head: Declared): Caution[] {
  const keys = [...new Set([...base.proofs.keys(), ...head.proofs.keys()])].sort(compareText);
  const changed = keys.flatMap((key): ChangedProof[] => {
    const [before, after] = [base.proofs.get(key), head.proofs.get(key)];
    const proof = after ?? before;
    if (!proof || before?.checked === after?.checked) return [];
    const what = after ? `says that it was seen on ${after.checked}` : 'is removed';
    const at = planPlace(after ? 'head' : 'base', proof.at ?? startOf(proofsFolder));
    return [{ proof, what: before ? what : `is new, and ${what}`, at }];
  });
  return cautionsFor(changed, {
    one: ({ proof, what, at }): Caution => ({
      code: 'PROOF_CHANGED',
      message: `the proof of ${proof.domain} for ${holderText(proof.holder)} ${what}`,
      at,
    }),
    many: (shown, count): Caution => ({
      code: 'PROOF_CHANGED',
      message: `${count} proofs of domains change, including ${shown.map(({ proof }) => `${proof.domain} for ${holderText(proof.holder)}`).join(', ')}`,
    }),
  });
}

interface ChangedProof {
  readonly proof: DomainProof;
  /** The effect of the change, as a verb phrase. */
  readonly what: string;
  readonly at: ReturnType<typeof planPlace>;
}
