import { type OtherRequest, otherRequests } from '../../../declarations/service/other-balancers.ts';
import { type AllocationTable, isHeld, recordsByHolder } from '../../../model/allocation.ts';
import { declaredIn } from '../../../model/claim.ts';
import type { Holder } from '../../../model/holder.ts';
import type { DeclaredService } from '../../../model/service.ts';
import { formatAddress } from '../../../net/address.ts';

/** A declared Service that asks another load balancer, and what a person should know. */
export interface AskingService {
  readonly service: DeclaredService;
  readonly holder: Holder;
  /** One sentence, without a trailing period. */
  readonly text: string;
}

/** The Services with an address of leasehold that ask another load balancer for one. */
export function askingServices(
  holders: readonly Holder[],
  table: AllocationTable,
): readonly AskingService[] {
  const asking = holders.flatMap((holder) =>
    declaredIn(holder.claims).flatMap((service) => {
      if (service.kind !== 'Service') return [];
      const requests = otherRequests(service.written.annotations);
      return requests.map((request) => ({ holder, service, request }));
    }),
  );
  if (asking.length === 0) return [];
  const held = recordsByHolder(table, isHeld);
  return asking.map(({ holder, service, request }) => {
    const has = (held.get(holder.id) ?? []).map(({ address }) => formatAddress(address));
    return { holder, service, text: requestText(service, request, has) };
  });
}

function requestText(
  { namespace, name }: DeclaredService,
  { key, balancer, addresses }: OtherRequest,
  has: readonly string[],
): string {
  const wants = addresses.map(formatAddress);
  const asks = `Service ${namespace}/${name} asks ${balancer} for ${wants.join(' and ')} (${key})`;
  return wants.every((address) => has.includes(address))
    ? `${asks}, which MetalLB gives it: while ${balancer} runs too, both announce the address`
    : `${asks}, which MetalLB does not read: it gets ${has.join(' and ') || 'no address'}`;
}
