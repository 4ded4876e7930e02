/** What claims cannot have together, and what a key does not prove. */
export const claimCodes = {
  // Holders and claims
  PORT_TAKEN: {
    title: 'Two claims on one address want the same port and protocol.',
    fix: 'Change the external port of one of them, or give it another endpoint name so that it gets its own address.',
  },
  PORT_UNCLEAR: {
    title: 'A purge names the port of a container, and not the port on the address.',
    fix: 'Name the port on the address, which leasehold prints after the service.',
  },
  HOLDER_CONFLICT: {
    title: 'Claims that share an address disagree about its pool, zone, pin or key.',
    fix: 'Say the same in all of them, or in one only.',
  },
  HOLDER_SPLIT: {
    title: 'One holder has two addresses of one family, usually after a merge.',
    fix: 'Run leasehold resolve: the address that is on the target branch stays, and the other one goes.',
  },
  SELECTOR_REQUIRED: {
    title: 'With naming: readable an endpoint needs a selector: no provider labels the pods.',
    fix: 'Add selector to the endpoint.',
  },
  NAME_TAKEN: {
    title: 'Two objects would have one name in the cluster.',
    fix: 'Rename one of the two: a suffix is never added, because it would rename others.',
  },
  NAME_TOO_LONG: {
    title: 'A name or label would be longer than Kubernetes allows.',
    fix: 'Use a shorter name.',
  },
  NAMESPACE_REFUSED: {
    title:
      'A Service is declared in a namespace that leasehold keeps out of: one of Kubernetes itself, that of MetalLB, or lease.',
    fix: 'Put the Service into a namespace of its own.',
  },
  NAME_REFUSED: {
    title:
      'A Service is declared under a name that the control plane keeps for a Service of its own.',
    fix: 'Give the Service another name. In default, the Service kubernetes is the way of all pods to the API server.',
  },
  NODE_PORT_TAKEN: {
    title:
      'Two Services of a cluster want one node port, or one wants what the live other one has, which the API server refuses.',
    fix: 'Give one of them another node port, or leave nodePort out: the API server then picks one. TCP and UDP count as one, and so does healthCheckNodePort.',
  },
  SHARING_CONFLICT: {
    title:
      'Services on one address have different traffic policies, or Local traffic to different pods, which MetalLB refuses.',
    fix: 'Set externalTrafficPolicy: Cluster in all of them, or give one another sharing key so that it gets its own address. A Reservation counts as Cluster.',
  },
  SHARING_STRANDED: {
    title:
      'A Service would come to an address, or get a port there, before a live one gives up what stands in its way: it has none until somebody touches it, since MetalLB does not look again.',
    fix: 'Let the one give it up in one commit, and the other have it in the next, once the first is applied.',
  },
  SERVICE_CONFLICT: {
    title: 'Endpoints that end up in one Service disagree about family or selector.',
    fix: 'Say the same in all endpoints of the service.',
  },
  FAMILY_CHANGED: {
    title:
      'A live Service would change its first address family, or a live address its pool, which the cluster refuses.',
    fix: 'Remove the endpoints, or the Service, in one commit and declare them again in the next, once the first is applied.',
  },
  HEALTH_CHECK_CHANGED: {
    title:
      'The health check node port of a live Service would change, which the API server refuses.',
    fix: 'Keep it. To change it, set externalTrafficPolicy: Cluster in one commit, and Local with the new port in the next, once the first is applied.',
  },
  CLASS_CHANGED: {
    title: 'The loadBalancerClass of a live Service would change, which the API server refuses.',
    fix: 'Keep metallb.loadBalancerClass as it is while anything is live. To change it all the same, with all Services down in between: remove the Services and endpoints of the cluster in one commit, and declare them again, with the other class, in the next, once the first is applied. With a retention their addresses are kept.',
  },
  LAYOUT_CHANGED: {
    title: "The layout of MetalLB's pools would change in a cluster that has been synthesized.",
    fix: 'Keep the layout. To change it all the same, with all addresses of the cluster down for a moment: git rm -r the folder of the cluster under dist/, run leasehold synth, merge that, and delete the live IPAddressPools, beside which MetalLB refuses the new ones. docs/day-two.md says it step by step.',
  },
  SHARDS_CHANGED: {
    title: 'The shards of a cluster would change that has been synthesized.',
    fix: 'Keep them: an object that changes its Application or Kustomization is pruned by the one that it leaves. To change them all the same, with all Services down in between: git rm -r the folder of the cluster under dist/ but for its files leasehold.yaml, let the engine prune what it applied, then run leasehold synth and apply what leasehold gitops prints.',
  },
  SHARD_LEFT: {
    title: 'A live Service would go to a folder that another object of the engine watches.',
    fix: 'Leave it with its holder: who shares an address, and the names of endpoints, decide where its file is. Or remove it in one commit and declare it again in the next, once the first is applied.',
  },
  // Ownership
  NOT_PROVEN: {
    title: 'An address has a key, and no signature of that key allows what the declarations ask.',
    fix: 'Undo the change, or let who has the secret sign it: leasehold key sign. A signature counts once, for one repository, address, holder, new key and generation, and stands in the annotation leasehold.dev/signature.',
  },
  KEY_SHARED: {
    title: 'The key of an address would change while more than one Service relies on it.',
    fix: 'Change it while one Service stands on the address alone, and no other was promised to come back to it.',
  },
  KEY_REPLACED: {
    title: 'The file of a key changes or goes, while addresses are held or kept by that key.',
    fix: 'Restore it from the target branch. To change the secret, run leasehold key rotate while an address is held under the key; another key gets another name. A key that no address is held or kept by may go.',
  },
  REPOSITORY_CHANGED: {
    title: 'The id of the repository, for which signatures are made, changes.',
    fix: 'Restore leases/keys/repository.yaml from the target branch: with another id, signatures of another repository would count here.',
  },
} as const;

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
} as const;
