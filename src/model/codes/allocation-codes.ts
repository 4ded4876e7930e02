import type { CodeExplanation } from './code-explanation.ts';

/** What the record of an address may not say, nor do from one tree to the next. */
export const allocationCodes = {
  ALLOCATION_LOST: {
    title:
      'A committed manifest gives a Service an address that is not recorded for its holder any more.',
    fix: 'Only leasehold writes leases/allocations/ and dist/. The hint names the command that takes back what somebody has edited or removed there; git log -- leases/allocations dist shows who did. Without the record the tenant would get another address.',
  },
  POOL_EXHAUSTED: {
    title: 'There are not enough free addresses for the claims.',
    fix: 'Widen the pool in leases/pools.yaml, release a lease, or wait for a cooldown to end.',
  },
  POOL_DRAINING: {
    title: 'A claim wants a new address from a pool that is draining.',
    fix: 'Use another pool, or set state: active.',
  },
  PIN_OUTSIDE: {
    title: 'A pinned address is in no pool that its claim may use.',
    fix: 'Pin an address of the pool, or remove the pin.',
  },
  PIN_RESERVED: {
    title: 'A pinned address is reserved, or ends in .0 or .255 in a pool that avoids those.',
    fix: 'Pin another address.',
  },
  PIN_TAKEN: {
    title: 'A pinned address is held by someone else, or pinned twice.',
    fix: 'Pin another address, or wait until it is released.',
  },
  PIN_RETAINED: {
    title: 'A pinned address was released and is still kept for its last holder.',
    fix: 'Pin another address, or wait until the day that the message names.',
  },
  PIN_MOVED: {
    title: 'A pin differs from the address that the holder has, or from the one it is to go to.',
    fix: 'An address never moves by an edit. To move it, pin the new address and run leasehold move; to keep it, remove the pin or pin the address held.',
  },
  ADDRESS_STRANDED: {
    title:
      'A held address is no longer one that its claims may have: the pool shrank, or the zone, pool or reservation changed.',
    fix: 'Undo the change, or give all holders concerned other addresses in one run: leasehold move ADDRESS... An address never moves by itself.',
  },
  MOVE_REFUSED: {
    title: 'A holder cannot be moved as asked.',
    fix: 'Do what the hint says first, then run leasehold move again. Nothing was written.',
  },
  QUOTA_EXCEEDED: {
    title: 'An owner needs more addresses, held or kept after release, than its quota allows.',
    fix: 'Release one of its leases, wait until what it released is free, or raise its number under quotas in leases/pools.yaml.',
  },
  ALLOCATION_INVALID: {
    title: 'An allocation file contradicts itself, its path or another file.',
    fix: 'Restore it from the target branch: git checkout <branch> -- <file>. Only leasehold writes these files.',
  },
  DATE_EARLIER: {
    title: 'Today is earlier than a day that is already recorded.',
    fix: "Correct the machine's clock or --today. If it is the recorded day that is wrong: docs/day-two.md says how to put it right (leasehold synth --base with the commit before it was recorded).",
  },
  MASS_RELEASE: {
    title: 'The run would release an unusual number of addresses.',
    fix: 'If it is meant, run leasehold synth --allow-release N with the number that the message names.',
  },
  ALLOCATION_FORGED: {
    title: 'An allocation file changes in a way that no run of leasehold gives.',
    fix: 'Run leasehold synth on the branch and commit what it writes: it knows what the target has, and records what the branch does as one run on that. So it mends a revert that a forge has made too. Nobody edits these files by hand.',
  },
  BASE_WITHHOLDS: {
    title: 'An address is given that the pools of the target branch do not give.',
    fix: 'Change leases/pools.yaml in a pull request of its own, and lease from it once that is merged. New pools and ranges may be leased from at once; what the target branch reserves, drains or has for other clusters and zones may not.',
  },
  DATE_AHEAD: {
    title: 'An allocation records a day that is later than the day after the commit.',
    fix: "Correct the machine's clock, run leasehold synth on the branch, and commit what it writes.",
  },
  DATE_BEHIND: {
    title:
      'An allocation records a day of this change that is before what the change starts from, so that a promise would end too early.',
    fix: 'Run leasehold synth on the branch and commit what it writes: days that are too old become today. A branch with a release or a move needs that after a rebase, when it was open for long.',
  },
  MERGE_BLENDED: {
    title:
      'A merge holds a claim that neither of its sides declares: git has put an edit of one lease into the file of another.',
    fix: 'Merge again without a look for renames: git merge -X find-renames=100%. If the claim is meant, change the declaration in a commit of its own.',
  },
} as const satisfies Record<string, CodeExplanation>;
