import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import { ok } from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { ChangedTree } from '../../core/tree/changed-tree.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { failedAction, type IpamReply, isReply, success } from './ipam-answer.ts';
import { carryOut, type IpamEdit } from './ipam-commit.ts';
import type { IpamRequest } from './ipam-request.ts';
import { type IpamContext, type IpamTarget, placeOf, targetOf } from './ipam-target.ts';
import { editReservation, otherFamilyOf } from './reservation-edits.ts';

/**
 * Ends the lease of an address: removes the declaration of its Service, or one family of a
 * Reservation. The end of a lease that has ended needs no commit, until another Service has the
 * address. Throws an EnvironmentError when the remote fails.
 */
export function expire(context: IpamContext, request: IpamRequest): Promise<IpamReply> {
  return carryOut(context, 'expire', (tree, declared) => {
    const target = targetOf('expire', request, declared, context.namespaces);
    return ok(isReply(target) ? target : expiration(tree, declared, request, target));
  });
}

const expired = 'Service expiration set successfully';

function expiration(
  tree: ChangedTree,
  declared: Declared,
  request: IpamRequest,
  target: IpamTarget,
): IpamReply | IpamEdit {
  const { address, declared: known, holder } = target;
  const record = address && recordIn(declared, formatAddress(address), request.zone);
  if (!address || !record) return noAddress;
  if (record.holder !== holder) return notItsAddress;
  if (!isHeld(record)) return success(expired, address);
  if (!known) return notItsAddress;
  const text = formatAddress(address);
  const days = request.retentionDays;
  // In a commit of its own: a record that is released keeps the retention that it had.
  if (known.kind === 'Reservation' && days > record.retain) {
    const changes = editReservation(tree, known, { retentionDays: days });
    const subject = `Retain ${text} of ${holder} for ${days} days`;
    return {
      target,
      changes,
      answer: () => ({ message: expired, address, subject }),
      isFirst: true,
    };
  }
  const subject = `Release ${text} of ${holder}`;
  const answer = () => ({ message: expired, address, subject });
  if (known.ipFamily !== 'dual') {
    return { target, changes: { writes: new Map(), removes: [known.at.file] }, answer };
  }
  if (known.kind === 'Service') return bothInService(known);
  const changes = editReservation(tree, known, otherFamilyOf(known, request.family));
  return { target, changes, answer };
}

/** The record of an address, if its pool is of this zone. */
function recordIn(
  { table, pools }: Declared,
  address: string,
  zone: string,
): Allocation | undefined {
  const record = table.get(address);
  const pool = pools?.pools.find(({ name }) => name === record?.pool);
  return pool?.zone === zone ? record : undefined;
}

/** The misspelling is ipam-api's. */
const noAddress = failedAction(
  'expire',
  'no matching address found with the provivded secret, zone and address',
);

const notItsAddress = failedAction('expire', 'service does not exist for this address');

/** Only the text of a Reservation can lose one of two families. */
function bothInService(known: NonNullable<IpamTarget['declared']>): IpamReply {
  const reason = 'the Service is declared with both families: `leasehold release` ends it';
  return failedAction('expire', `${reason}${placeOf(known)}`);
}
