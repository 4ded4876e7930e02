import type { CodeExplanation } from '../../model/codes/problem-codes.ts';

/**
 * Everything that a plan asks a reviewer to think about, by code, in the order in which it tells. The
 * code is the contract; the wording of messages may change. No code is a problem's or a finding's too.
 */
export const cautionCodes = {
  LEASE_CUT: {
    title: 'A holder loses an address that serves.',
    fix: 'Merge it when the lease is to end: connections are cut, and after the cooldown the address may go to somebody else.',
  },
  LEASE_MOVED: {
    title: 'A service that serves goes from one address to another.',
    fix: 'Merge it when whoever uses the old address knows the new one. To keep the address, undo the change.',
  },
  SHARING_KEY_CHANGED: {
    title:
      'What serves gets another address, because it has another sharing key: an endpoint another name or owner, a Service another key or none.',
    fix: 'Give the endpoint its old name, or the Service its old key, to keep the address.',
  },
  OBJECTS_REPLACED: {
    title:
      'Objects of leases that stay are deleted and made again under other names: the naming, the provider or the layout changed.',
    fix: 'Every connection over them is cut once. Merge it at a quiet hour, or undo the change of leases/pools.yaml.',
  },
  FENCE_CLOSED: {
    title: 'A pool with an open fence is closed: from then on it serves what is declared only.',
    fix: 'What has an address of it and is not declared, or has not the labels yet, loses it. Merge it when what is declared is live, and leasehold verify names nothing that the pool would lose.',
  },
  FENCE_OPENED: {
    title:
      'A pool is open to every Service of its clusters: nothing keeps its addresses for what is declared.',
    fix: 'Merge it to take over a live pool, and close it soon. Until then a Service of anybody gets the address that it asks for, if no live one has it: also one that is leased and not applied yet, reserved, or in its cooldown.',
  },
  PROMISE_SHORTENED: {
    title: 'An address will be kept for a shorter time after its release than was promised.',
    fix: 'What was promised is still kept once, by keepUntil. Merge it when its holder knows.',
  },
  NEVER_LIVE: {
    title:
      'An address was taken and given back on the branch: nobody ever had it, and it is kept all the same.',
    fix: 'Remove its allocation file with git rm, so that it is free at once. It may stay only where the base records nothing yet, or on the way of a holder that was moved twice.',
  },
  POOLS_CHANGED: {
    title: 'The pool file says something else of an address range, a reservation or a cooldown.',
    fix: 'Look at the change of leases/pools.yaml itself: it concerns every lease to come.',
  },
  LINK_LOCAL: {
    title: 'A new range of a pool has addresses that are reached on their own link only.',
    fix: 'Merge it when whoever uses them stands on that link. Else take them out of the pool in leases/pools.yaml.',
  },
  BLOCK_ENDS: {
    title:
      'A pool that L2 announces gives the first or last address of a new block: in a network of its own they are the network, the broadcast and the routers.',
    fix: 'Merge it when the block is a part of a wider network, or is routed to the nodes: then all its addresses serve. Where it is the network of the nodes, write these into reserved.',
  },
  POLICY_CHANGED: {
    title: 'The policy says something else of who may declare what.',
    fix: 'Look at the change of leases/policy.yaml itself. It takes effect for the next pull request: this one is judged by both.',
  },
  OTHER_TENANT: {
    title:
      'One pull request changes files or moves addresses of more than one tenant, or of a tenant and of the operators.',
    fix: 'Merge it when all of them know of it: reviewers of each, or the operators, should have approved. Better, make one pull request for each.',
  },
  TENANT_CHANGED: {
    title: 'A declaration goes from the folder of one tenant to that of another.',
    fix: 'Merge it when both agree: from then on the other tenant decides about the address.',
  },
  KEY_CHANGED: {
    title: 'A key by which addresses are held or kept becomes another one, or goes.',
    fix: 'Merge it when the owner of the key has asked for it: from then on the other secret speaks for what is signed over to it.',
  },
  COOLDOWN_NONE: {
    title: 'An address is released in a pool without a cooldown.',
    fix: 'Anyone can get it on the same day, while old clients still use it. Set cooldownDays to 1 or more in leases/pools.yaml.',
  },
  POOL_FILLING: {
    title: 'A pool has more than 80 % of its addresses in use.',
    fix: 'Widen it in leases/pools.yaml, before the leases that need it come.',
  },
  DATE_OLD: {
    title:
      'A change of an address is dated days before the commit, so that its cooldown is over early.',
    fix: 'Run leasehold synth again on the branch, after restoring leases/allocations from the target branch.',
  },
  ENGINE_PRUNES: {
    title: 'Argo CD or Flux will delete objects.',
    fix: 'Merge it when they are to go. An engine prunes only if it is told to: docs/gitops.md.',
  },
  BASE_BROKEN: {
    title:
      'The commit that is compared with has problems of its own, so not everything could be compared.',
    fix: 'Mend the target branch first; what is shown of claims may lack something.',
  },
} as const satisfies Record<string, CodeExplanation>;

/** A stable code of a caution. */
export type CautionCode = keyof typeof cautionCodes;
