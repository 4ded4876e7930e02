import { holderOfService } from '../../core/declarations/claims.ts';
import type { Claim, ServiceClaim } from '../../core/model/claim.ts';
import { poolsIn } from '../../core/model/pools.ts';
import type { DeclaredService, Reservation } from '../../core/model/service.ts';
import { type Address, familyBits, isAddress, parseAddress } from '../../core/net/address.ts';
import type { Declared } from '../../core/tree/declared.ts';
import type { BotContext } from '../../lib/branch/branch-run.ts';
import { failedAction, type IpamAction, type IpamReply, refusedRequest } from './ipam-answer.ts';
import type { IpamRequest } from './ipam-request.ts';
import type { NamespaceNames } from './namespaces.ts';

/** The branch that is the database of the requests, and the names of the namespaces. */
export interface IpamContext extends BotContext {
  readonly namespaces: NamespaceNames;
}

/** The Service of a request, looked up in a repository. */
export interface IpamTarget {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  /** The requested address; undefined for any. */
  readonly address: Address | undefined;
  /** Its declaration; undefined when there is none. */
  readonly declared: DeclaredService | Reservation | undefined;
  /** The holder of its addresses, declared or not. */
  readonly holder: string;
}

/**
 * Looks up what a request names: its zone, address, cluster and namespace. The checks and their
 * order are those of ipam-api, whose zones are the pools of a zone here.
 */
export function targetOf(
  action: IpamAction,
  request: IpamRequest,
  { pools, services, claims }: Declared,
  namespaces: NamespaceNames,
): IpamTarget | IpamReply {
  if (!pools) return failedAction(action, 'leases/pools.yaml is missing or invalid');
  const zones = [...new Set(pools.pools.map(({ zone }) => zone))];
  const { zone, family, name, clusterId, namespaceId } = request;
  if (!zones.includes(zone)) {
    const choices = zones.map((one) => `'${one}'`).join(', ');
    return refusedRequest(`invalid zone '${zone}', must be one of: ${choices}`);
  }
  const address = request.address === '' ? undefined : hostOf(request.address);
  if (address === null) return refusedRequest(`invalid ip prefix: ${request.address}`);
  if (address && address.family !== family) {
    return refusedRequest('invalid ip familiy for the provided address');
  }
  const own = pools.clusters.find(({ id }) => id === clusterId);
  if (!own) return failedAction(action, `no cluster in the pool file has the id ${clusterId}`);
  const containers = poolsIn(pools, own.name).filter((pool) => pool.zone === zone);
  if (!containers.some(({ ranges }) => ranges.some(({ from }) => from.family === family))) {
    return refusedRequest(`no prefixes found for zone ${zone} with IP family ${family}`);
  }
  const namespace = namespaces.get(clusterId)?.get(namespaceId);
  if (namespace === undefined) {
    return failedAction(action, `no namespace of cluster ${own.name} has the id ${namespaceId}`);
  }
  const place = { cluster: own.name, namespace, name };
  const declared = services.find(
    (one) => one.cluster === own.name && one.namespace === namespace && one.name === name,
  );
  const claim = declared && claims.find((one) => isOf(one, declared));
  const holder = claim?.holder ?? holderOfService({ ...place, sharingKey: undefined });
  return { ...place, address, declared, holder };
}

/** True for a claim of a declared Service. */
function isOf(claim: Claim, declared: DeclaredService | Reservation): claim is ServiceClaim {
  return claim.kind === 'Service' && claim.declared === declared;
}

/** An address as the operator writes it, with the length of a single one; null for another text. */
function hostOf(text: string): Address | null {
  const [bare = '', length, ...rest] = text.split('/');
  const address = parseAddress(bare);
  if (!isAddress(address) || rest.length > 0) return null;
  return length === String(familyBits[address.family]) ? address : null;
}

/** Where a Service is declared: ` (leases/web.yaml:3)`, or nothing. */
export function placeOf(declared: IpamTarget['declared']): string {
  return declared ? ` (${declared.at.file}:${declared.at.line})` : '';
}
