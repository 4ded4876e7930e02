import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import type { Reservation } from '../../core/model/service.ts';
import {
  bothFamilies,
  compareAddresses,
  type Family,
  formatAddress,
} from '../../core/net/address.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import { serviceEdit } from '../../lib/edit/declaration-edit.ts';
import { type ReservationFields, withReservationFields } from '../../lib/edit/declaration-edits.ts';
import type { IpamRequest } from './ipam-request.ts';
import type { IpamTarget } from './ipam-target.ts';

/** No changes. */
export const noChanges: TreeChanges = { writes: new Map(), removes: [] };

/**
 * The port of a new Reservation: a request names none. Two Reservations never share an address, so
 * they can have the same port.
 */
const unnamedPort = 1;

/** Declares the Service of a request as a Reservation. */
export function newReservation(
  tree: SourceTree,
  declared: Declared,
  request: IpamRequest,
  { cluster, namespace, name, address }: IpamTarget,
): Outcome<TreeChanges> {
  const { zone, family, retentionDays, denyExternalCleanup } = request;
  const edit = serviceEdit(tree, declared, {
    kind: 'Reservation',
    namespace,
    name,
    ports: [{ port: unnamedPort }],
    cluster: cluster === declared.pools?.defaultCluster ? undefined : cluster,
    zone,
    ipFamily: family === 'ipv4' ? undefined : family,
    addresses: address ? [formatAddress(address)] : [],
    retentionDays: retentionDays === 0 ? undefined : retentionDays,
    denyExternalCleanup: denyExternalCleanup || undefined,
  });
  if (!edit.ok) return edit;
  const { file, text } = edit.value;
  return ok({ writes: new Map([[file, text]]), removes: [] });
}

/** Sets fields of a Reservation. Without fields, there are no changes. */
export function editReservation(
  tree: SourceTree,
  { at: { file } }: Reservation,
  fields: ReservationFields,
): TreeChanges {
  if (Object.keys(fields).length === 0) return noChanges;
  const text = withReservationFields(textIn(tree, file), fields);
  return { writes: new Map([[file, text]]), removes: [] };
}

/** Both families, and the address of a request beside those that are pinned. */
export function bothFamiliesOf({ pins }: Reservation, { address }: IpamTarget): ReservationFields {
  const pinned = [...pins.map((pin) => pin.address), ...(address ? [address] : [])];
  return { ipFamily: 'dual', addresses: pinned.sort(compareAddresses) };
}

/** The other one of two families, with its pins. */
export function otherFamilyOf({ pins }: Reservation, family: Family): ReservationFields {
  const [left = family] = bothFamilies.filter((one) => one !== family);
  const pinned = pins.map(({ address }) => address);
  return { ipFamily: left, addresses: pinned.filter((address) => address.family === left) };
}

/** The terms of a request that a Reservation does not have. */
export function changedTerms(
  { retentionDays, denyExternalCleanup }: IpamRequest,
  known: Reservation,
): ReservationFields {
  return {
    ...(retentionDays === known.retentionDays ? {} : { retentionDays }),
    ...(denyExternalCleanup === known.denyExternalCleanup ? {} : { denyExternalCleanup }),
  };
}
