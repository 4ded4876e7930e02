import { holderOfGroup } from '../../../core/declarations/claims.ts';
import { serviceSharingKey } from '../../../core/model/claim.ts';
import type { AnycastGroup } from '../../../core/model/pools.ts';
import type { Address } from '../../../core/net/address.ts';
import { serviceSubject } from '../cluster/live-service.ts';
import type { ImportContext } from '../import-context.ts';
import type { LiveService } from '../imported.ts';
import { freeName, groupKey, isSayable } from './adopted-groups.ts';

/** The sharing keys of an address in MetalLB. */
export interface AddressKeys {
  /** The one that its Reservations keep; undefined when that is `ours`, or when it is not known. */
  readonly live: string | undefined;
  /** The one that it gets otherwise: that of the group's Services, or leasehold's own. */
  readonly ours: string;
}

/** MetalLB takes the address from a Service that changes its key while another one has it. */
export function keysOf(
  services: readonly LiveService[],
  group: Pick<AnycastGroup, 'name' | 'members'> | undefined,
  context: ImportContext,
): AddressKeys {
  const [first] = services;
  const { claims, cluster } = context.repository;
  const holder = group && holderOfGroup(group);
  const joined = claims.find((one) => one.cluster === cluster.name && one.holder === holder);
  const [key, ...others] = new Set(services.map(({ sharingKey }) => sharingKey));
  const own = first ? serviceSharingKey(first.namespace) : '';
  const ours = joined?.sharingKey ?? (group && first ? groupKey(group, first, context) : own);
  const isKept = joined === undefined && others.length === 0 && key !== ours;
  return { live: isKept ? key : undefined, ours };
}

/** Notes that a Service gets another sharing key in MetalLB. `group` are all on its address. */
export function noteKey(
  service: LiveService,
  next: string,
  group: readonly LiveService[],
  context: ImportContext,
): void {
  const { sharingKey, at } = service;
  if (sharingKey === next || (sharingKey === undefined && group.length === 1)) return;
  const message =
    sharingKey === undefined
      ? `its live sharing key is not imported, and \`leasehold list -o values\` prints ${next}: leave its annotation allow-shared-ip as it is while other Services have its address`
      : group.length === 1
        ? `its sharing key ${sharingKey} becomes ${next}: no other live Service has its address`
        : `its sharing key ${sharingKey} becomes ${next}: the other Services on its address have other keys`;
  context.change(serviceSubject(service.namespace, service.name), message, at);
}

/**
 * The sharing key of the Services that can be declared, which are of one namespace; undefined when
 * none can.
 */
export function keyFor(
  services: readonly LiveService[],
  addresses: readonly Address[],
  context: ImportContext,
): string | undefined {
  const service = services.find((one) => isSayable(one, context));
  if (!service) return undefined;
  const { namespace, sharingKey } = service;
  const key = freeName(sharingKey, addresses, (name) => context.isFreeKey(namespace, name));
  context.takeKey(namespace, key);
  return key;
}
