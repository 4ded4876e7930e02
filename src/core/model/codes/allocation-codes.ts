/** Problems of claims and holders, of keys, and of the recorded allocations. */
export const allocationCodes = {
  // Holders and claims
  PORT_TAKEN: {
    title: 'Two claims on one address use the same port and protocol.',
    fix: 'For a new deployment with the endpoints of an old one, remove them from the old lease: they keep their addresses. Else change the external port of the one without a record, or give it another endpoint name so that it gets an address of its own.',
  },
  HOLDER_CONFLICT: {
    title: 'Claims that share an address disagree about its pool, zone, pin or key.',
    fix: 'Set the same value in all of them, or in one of them only.',
  },
  HOLDER_SPLIT: {
    title: 'A holder has two addresses of the same family, usually after a merge.',
    fix: 'During a merge, or after one, run `leasehold resolve`: it keeps the address that is on the target branch and removes the other one. Otherwise remove the record that is not on the target branch, and run `leasehold synth`.',
  },
  RENAME_CONFLICT: {
    title:
      'A rename cannot be made: the former holder is still declared, two renames have one holder, or the address cannot go over.',
    fix: 'Remove the declaration of the former holder, or the rename. The new holder must request the pool and family of the address. An address with a key goes to another owner by a signature only.',
  },
  RENAME_UNKNOWN: {
    title: 'A rename names a holder that has no address, or one that is not declared.',
    fix: 'Write both holders as `leasehold list` prints them. Remove a rename that is no longer needed.',
  },
  SELECTOR_REQUIRED: {
    title:
      'With naming: readable an endpoint needs a selector, because no provider labels the pods.',
    fix: 'Add selector to the endpoint.',
  },
  NAME_TAKEN: {
    title: 'Two objects would have the same name in a cluster.',
    fix: 'Rename the one without a record. Leasehold never adds a suffix, because that would rename other objects.',
  },
  NAME_TOO_LONG: {
    title: 'A name or label would be longer than Kubernetes allows.',
    fix: 'Use a shorter name.',
  },
  NAMESPACE_REFUSED: {
    title:
      'A Service or hostname is declared in a namespace that is not allowed: one of Kubernetes, that of MetalLB, or lease.',
    fix: 'Use a namespace of your own for it.',
  },
  NAME_REFUSED: {
    title:
      'A Service has a name that the control plane uses for a Service of its own, or a hostname leads to that Service.',
    fix: 'Use another name. In the namespace default, pods reach the API server through the Service kubernetes.',
  },
  NODE_PORT_TAKEN: {
    title:
      'Two Services of a cluster use the same node port, or one uses the node port of a live Service. The API server would reject it.',
    fix: 'Use another node port, or remove nodePort: the API server then chooses one. TCP and UDP count as one, and healthCheckNodePort counts too.',
  },
  SHARING_CONFLICT: {
    title:
      'Services on one address have different traffic policies, or the policy Local with different pods. MetalLB rejects that.',
    fix: 'Set externalTrafficPolicy: Cluster in all of them, or give the new one another sharing key so that it gets an address of its own. With Local, all need one selector.',
  },
  SHARING_STRANDED: {
    title:
      'A Service needs an address or port that a live Service gives up in the same change. It would stay without an address until it is changed again, because MetalLB does not retry.',
    fix: 'Give up the address or port in one commit. Use it in the next one, after the first is applied.',
  },
  ANNOTATIONS_UNREAD: {
    title:
      'The annotations of live Services would get the prefix metallb.io. MetalLB before 0.14.9 ignores it, and takes an address from all but one of the Services that share it.',
    fix: 'Set metallb.annotationPrefix: metallb.universe.tf, as the hint says: every version reads that prefix. Set metallb.io in a later change, if at all, once 0.14.9 or later runs.',
  },
  SERVICE_CONFLICT: {
    title: 'Endpoints that become one Service disagree about family or selector.',
    fix: 'Set the same value in all endpoints of the service.',
  },
  FAMILY_CHANGED: {
    title: 'A live Service would change its first address family. The API server would reject it.',
    fix: 'Remove the endpoints or the Service in one commit. Declare them again in the next one, after the first is applied.',
  },
  POOL_CHANGED: {
    title:
      'A live address would go to another pool. MetalLB and Cilium refuse an address in two pools.',
    fix: 'With layout: pool, to split or rename a declared pool with holders: run `leasehold migrate-layout lease`, change the pools once that is applied, and run `leasehold migrate-layout pool`. Addresses without holders can be removed from the one pool in one commit, and added to the other in the next. With layout: lease, move both addresses of a holder at once. Cilium has one layout: add a pool with other addresses, and `leasehold move` the holders to it.',
  },
  HEALTH_CHECK_CHANGED: {
    title:
      'The health check node port of a live Service would change. The API server would reject it.',
    fix: 'Keep it. To change it, set externalTrafficPolicy: Cluster in one commit, and Local with the new port in the next one, after the first is applied.',
  },
  CLASS_CHANGED: {
    title: 'The loadBalancerClass of a live Service would change. The API server would reject it.',
    fix: 'Keep metallb.loadBalancerClass while any Service is live. To change it anyway, with all Services down in between: remove the Services and endpoints of the cluster in one commit. Declare them again, with the other class, in the next one, after the first is applied. With a retention they keep their addresses.',
  },
  PLANE_CHANGED: {
    title: 'A cluster that holds addresses gets another data plane.',
    fix: 'Keep the plane that runs, or move with `leasehold migrate-plane`: every Service keeps its address when the old plane stands still and each Service has the label of its pool before the change is applied.',
  },
  LAYOUT_CHANGED: {
    title: "The layout of MetalLB's pools would change in a cluster that has manifests already.",
    fix: 'Keep the layout, or change it with `leasehold migrate-layout`: in two commits, each applied before the next, with the pools of both layouts in between. It prints what else to do. Every Service keeps its address.',
  },
  SHARDS_CHANGED: {
    title: 'The number of shards would change in a cluster that has manifests already.',
    fix: 'Keep the number: when an object goes to another Application or Kustomization, the old one prunes it. To change it anyway, with all Services down in between: `git rm -r` the folder of the cluster under dist/ except its files leasehold.yaml, let Argo CD or Flux prune what it applied, then run `leasehold synth` and apply what `leasehold gitops` prints.',
  },
  SHARD_LEFT: {
    title:
      'A live Service would move to a folder that another Application or Kustomization watches.',
    fix: 'Leave it with its holder: the holder decides which folder its file is in. Or remove it in one commit, and declare it again in the next one, after the first is applied.',
  },
  // Ownership
  NOT_PROVEN: {
    title: 'An address has a key, and the change is not allowed by a signature of that key.',
    fix: 'Undo the change, or ask the owner of the secret to sign it with `leasehold key sign`. The signature goes into the annotation leasehold.dev/signature. It is valid once, for one repository, address, holder, new key and generation.',
  },
  KEY_SHARED: {
    title: 'The key of an address would change while more than one Service relies on it.',
    fix: 'Change it while a single Service uses the address and the address is not kept for another one that left.',
  },
  KEY_REPLACED: {
    title: 'A key file was changed or removed while addresses are held or kept with that key.',
    fix: 'Restore it from the target branch. To change the secret, run `leasehold key rotate` while an address is held with the key. Use another name for another key. A key can be removed when no address is held or kept with it.',
  },
  REPOSITORY_CHANGED: {
    title: 'The id of the repository, which signatures are made for, was changed.',
    fix: 'Restore leases/keys/repository.yaml from the target branch. With another id, signatures of another repository would be valid here.',
  },
  // Allocations
  ALLOCATION_LOST: {
    title:
      'The manifest of a live Service has an address that is no longer recorded for its holder, or a routed hostname has no record.',
    fix: 'Restore the record from the last commit that has it. A hint has the command where git knows that commit. Only leasehold writes leases/allocations/, leases/hostnames/ and dist/; `git log -- leases/allocations leases/hostnames dist` shows who changed them. Without the record the tenant would get another address, or the hostname would have no retention.',
  },
  POOL_EXHAUSTED: {
    title: 'There are not enough free addresses for the claims.',
    fix: 'Add addresses to the pool in leases/pools.yaml, release a lease, or wait until a retention ends.',
  },
  POOL_DRAINING: {
    title: 'A claim requests a new address from a pool that is draining.',
    fix: 'Use another pool, or set state: active.',
  },
  HOSTNAME_KEPT: {
    title:
      'A hostname or DNS name is kept for the last holder of a released hostname, or overlaps such a name.',
    fix: 'Use another name, or wait until the day in the message: traffic for the name may still arrive.',
  },
  PIN_OUTSIDE: {
    title: 'A pinned address is not in a pool that its claim may use.',
    fix: 'Pin an address of such a pool, or remove the pin.',
  },
  PIN_RESERVED: {
    title: 'A pinned address is reserved, or ends in .0 or .255 in a pool with avoidBuggyIPs.',
    fix: 'Pin another address.',
  },
  PIN_TAKEN: {
    title: 'A pinned address is held by another holder, or pinned twice.',
    fix: 'Pin another address, or wait until it is released.',
  },
  PIN_RETAINED: {
    title: 'A pinned address was released and is still kept for its last holder.',
    fix: 'Pin another address, or wait until the day in the message.',
  },
  PIN_MOVED: {
    title:
      'A pin differs from the address of its holder, or from the one that the holder is moved to.',
    fix: 'Editing a pin does not move an address. To move it, pin the new address and run `leasehold move`. To keep it, remove the pin or pin the held address.',
  },
  ADDRESS_STRANDED: {
    title:
      'A holder may no longer have its address: the pool got smaller, the zone, pool or reservation changed, or a lease lacks a family of its promise.',
    fix: 'To keep an address that is in another zone or pool now, request that one in the declaration. Or undo the change, or give all affected holders other addresses in one run: `leasehold move ADDRESS...` An address never moves by itself.',
  },
  MOVE_REFUSED: {
    title: 'A holder cannot be moved as requested.',
    fix: 'Change what the message names, then run `leasehold move` again. Nothing was written.',
  },
  QUOTA_EXCEEDED: {
    title: 'An owner needs more addresses, held or kept after release, than its quota allows.',
    fix: 'Release one of its leases, wait until its released addresses are free, or raise its quota under quotas in leases/pools.yaml.',
  },
  ALLOCATION_INVALID: {
    title: 'The record of an address or hostname contradicts itself, its path or another file.',
    fix: 'Run `leasehold resolve`, which takes the record from the target branch. Only leasehold writes these files.',
  },
  DATE_EARLIER: {
    title: 'Today is earlier than a recorded day.',
    fix: "Correct the machine's clock or --today. If they are right, another machine was ahead: run the command again on the recorded day. If that day is far ahead, run `leasehold synth --base` with the commit before it was recorded: every address stays, and the dates become today.",
  },
  MASS_RELEASE: {
    title: 'The run would release an unusually large number of addresses and hostnames.',
    fix: 'If that is intended, run the command again with --allow-release and the number, and commit what it writes. The records then say that the releases are confirmed. The same works on the target branch, after a merge.',
  },
  ALLOCATION_FORGED: {
    title:
      'The record of an address or hostname was changed in a way that leasehold does not write.',
    fix: 'Run `leasehold synth` on the branch and commit the result: it starts from the records of the target branch and records the changes of this branch. This also repairs a revert made by a forge. Do not edit these files by hand. If the message names a commit of the target branch, the hint repairs that branch.',
  },
  BASE_WITHHOLDS: {
    title: 'The change assigns an address that the pools of the target branch do not allow.',
    fix: 'Change leases/pools.yaml in a pull request of its own, and use the address after that is merged. New pools and ranges can be used at once. Addresses that the target branch reserves, drains or has for other clusters and zones cannot.',
  },
  DATE_AHEAD: {
    title: 'A record has a day that is later than the day after the commit.',
    fix: "Correct the machine's clock, run `leasehold synth` on the branch, and commit the result.",
  },
  DATE_BEHIND: {
    title:
      'The change records a day that is too old: a retention is over before the merge, or more than a year has passed.',
    fix: "Run `leasehold synth` on the branch and commit the result: it replaces days that are too old with today. A branch with a release or a move needs this when it is open for longer than the retention. If it records a day that is too old again, correct the machine's clock.",
  },
  MERGE_BLENDED: {
    title:
      'A merge has a claim, promise or hostname that is on neither of its sides, and no person wrote it: git applied an edit of one declaration to the file of another.',
    fix: 'Merge again without rename detection: `git merge -X find-renames=100%`. If that gives the same, take the declaration from one side. If the result is meant, add a comment line to the file, in the merge or in a commit after it. When the forge has merged, do this on the branch, after you have merged the base into it.',
  },
} as const;
