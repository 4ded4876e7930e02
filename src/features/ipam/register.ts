import type { TreeChanges } from '../../core/interfaces/tree.ts';
import { addressesHeldBy } from '../../core/model/allocation.ts';
import { wantsFamily } from '../../core/model/claim.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { PlannedRun } from '../../core/run/synth/planned-run.ts';
import type { ChangedTree } from '../../core/tree/changed-tree.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { failedAction, type IpamReply, isReply } from './ipam-answer.ts';
import { carryOut, type IpamDone } from './ipam-commit.ts';
import type { IpamRequest } from './ipam-request.ts';
import { type IpamContext, type IpamTarget, placeOf, targetOf } from './ipam-target.ts';
import {
  bothFamiliesOf,
  changedTerms,
  editReservation,
  newReservation,
  noChanges,
} from './reservation-edits.ts';

/**
 * Gives a Service an address of a family: declares a Reservation, or adds the family and the terms
 * of the request to one. A Service that has the address keeps it, and a declared Service is never
 * edited. Throws an EnvironmentError when the remote fails.
 */
export function register(context: IpamContext, request: IpamRequest): Promise<IpamReply> {
  return carryOut(context, 'register', (tree, declared) => {
    const target = targetOf('register', request, declared, context.namespaces);
    if (isReply(target)) return ok(target);
    const changes = changesFor(tree, declared, request, target);
    if (!changes.ok) return changes;
    return ok({ target, changes: changes.value, answer: (run) => answerOf(request, target, run) });
  });
}

function changesFor(
  tree: ChangedTree,
  declared: Declared,
  request: IpamRequest,
  target: IpamTarget,
): Outcome<TreeChanges> {
  const { declared: known } = target;
  if (!known) return newReservation(tree, declared, request, target);
  if (known.kind === 'Service') return ok(noChanges);
  const families = wantsFamily(known, request.family) ? {} : bothFamiliesOf(known, target);
  return ok(editReservation(tree, known, { ...families, ...changedTerms(request, known) }));
}

/** The answer after the run. What the Service has may not be what the request asks for. */
function answerOf(
  { zone, family }: IpamRequest,
  { holder, address: wanted, declared }: IpamTarget,
  { table, changes, workspace }: PlannedRun,
): IpamReply | IpamDone {
  const address = addressesHeldBy(table, holder).find((one) => one.family === family);
  if (!address) {
    const reason = `the Service is declared without an ${family} address${placeOf(declared)}`;
    return failedAction('register', reason);
  }
  const text = formatAddress(address);
  const pool = workspace.pools.pools.find(({ name }) => name === table.get(text)?.pool);
  if (pool?.zone !== zone) {
    const reason = `the Service has ${text} in zone '${pool?.zone}', and \`leasehold move\` changes it`;
    return failedAction('register', reason);
  }
  if (wanted && formatAddress(wanted) !== text) {
    return failedAction('register', `the Service has ${text}, and \`leasehold move\` changes it`);
  }
  const change = changes.find((one) => formatAddress(one.address) === text);
  const isNew = change?.kind === 'allocated';
  return {
    message: isNew ? 'Address registered successfully' : 'Address updated successfully',
    address,
    subject: `${isNew ? 'Lease' : 'Keep'} ${text} for ${holder}`,
  };
}
