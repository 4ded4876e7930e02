import { type Lease, leaseIdText } from '../model/lease.ts';
import type { Position, Problem } from '../model/problem.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../model/service.ts';

/** LEASE_DUPLICATE for each lease that an earlier one of the list is too. */
export function duplicateLeases(leases: readonly Lease[]): Problem[] {
  return repeated(leases, (lease) => `${lease.cluster} ${leaseIdText(lease.id)}`).map(
    ([first, { id, at }]) => ({
      code: 'LEASE_DUPLICATE',
      message: `lease ${leaseIdText(id)} is declared in ${first.at.file} too`,
      at,
      also: [first.at],
      hint: 'put all endpoints of a lease in one file',
    }),
  );
}

/** SERVICE_DUPLICATE for each Service or Reservation that an earlier one of the list stands for too. */
export function duplicateServices(services: readonly (DeclaredService | Reservation)[]): Problem[] {
  return repeated(services, (service) => `${service.cluster} ${serviceIdText(service)}`).map(
    ([first, { cluster, namespace, name, at }]) => ({
      code: 'SERVICE_DUPLICATE',
      message: `the Service ${namespace}/${name} of cluster ${cluster} is declared in ${first.at.file} too`,
      at,
      also: [first.at],
      hint: 'keep one of the two',
    }),
  );
}

/** Each item whose identity an earlier one has, after that one. */
function repeated<Item extends { readonly at: Position }>(
  items: readonly Item[],
  identity: (item: Item) => string,
): (readonly [first: Item, repeated: Item])[] {
  const first = new Map<string, Item>();
  return items.flatMap((item) => {
    const id = identity(item);
    const other = first.get(id);
    if (other) return [[other, item] as const];
    first.set(id, item);
    return [];
  });
}
