import { formatAddress } from '../../../net/address.ts';
import { Ground, type Standing } from '../ground.ts';
import type { ImportedLive } from '../import.ts';
import { adoptLeases } from './adopted-leases.ts';
import { adoptServices } from './adopted-services.ts';

/**
 * What is declared of a live cluster: leases first, since their Services are no declarations of their own, then
 * Services, and what of its addresses can only be reserved.
 */
export function adoption({ services, leasedIPs, taken }: ImportedLive, standing: Standing): Ground {
  const ground = new Ground(standing);
  adoptLeases(leasedIPs, services, ground);
  const leased = new Set(ground.adopted.flatMap(({ addresses }) => addresses.map(formatAddress)));
  const plain = services.filter(({ isOfLease }) => !isOfLease);
  const beside = new Set(
    plain.filter(({ addresses }) =>
      addresses.some((address) => leased.has(formatAddress(address))),
    ),
  );
  for (const { namespace, name, addresses, at } of beside) {
    const reason = 'it is not declared: it shares the address of a lease';
    const others = addresses.filter((address) => !leased.has(formatAddress(address)));
    ground.leave(`Service ${namespace}/${name}`, reason, others, at);
  }
  adoptServices(
    plain.filter((service) => !beside.has(service)),
    ground,
  );
  for (const { address, by, why, at } of taken) {
    if (ground.poolOf(address) === undefined) continue;
    const isDeclared = ground.adopted.some(({ addresses }) =>
      addresses.some((one) => formatAddress(one) === formatAddress(address)),
    );
    if (isDeclared) continue;
    ground.leave(by, why, [address], at);
  }
  return ground;
}
