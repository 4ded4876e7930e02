import type { CodeExplanation } from '../../model/codes/problem-codes.ts';

/**
 * Everything that a plan asks a reviewer to consider, by code, in the order of the report. Scripts
 * and tests rely on the codes; the wording can change. A code is never also the code of a problem
 * or a finding.
 */
export const cautionCodes = {
  LEASE_CUT: {
    title: 'A holder loses a live address.',
    fix: 'Merge this when the lease should end. Connections are cut, and after the retention another holder can get the address.',
  },
  LEASE_MOVED: {
    title: 'A live service moves from one address to another.',
    fix: 'Merge this when the users of the old address know the new one. To keep the address, undo the change.',
  },
  ROUTE_CUT: {
    title:
      'A live hostname is released or routed to another Service, or its Service or port is no longer declared.',
    fix: 'Merge this when its clients should no longer reach the Service. When its Service ends for good, release the hostname too.',
  },
  ROUTES_MOVED: {
    title: 'The live hostnames of a cluster get another Gateway or IngressClass.',
    fix: 'Merge this when it serves these hostnames, with their certificates, and their DNS records lead to it.',
  },
  REACH_CHANGED: {
    title: 'A field of a live object changes who can connect to a service, or who answers.',
    fix: 'Merge this when the new value is meant: it applies at once.',
  },
  IDENTITY_CHANGED: {
    title:
      'A live object changes in a field by which an engine, an operator or a policy selects it.',
    fix: 'Merge this when the programs that select the object by it know the new value.',
  },
  SHARING_KEY_CHANGED: {
    title:
      'A live service gets another address because its sharing key changed: an endpoint has another name or owner, or a Service another key or none.',
    fix: 'Merge this when the users of the old address know the new one. To keep the address of an endpoint with another name, run `leasehold rename` on the branch. To keep that of a Service, give it the key that it had, or none if it had none.',
  },
  NAME_CHANGED: {
    title:
      'A Service is no longer declared, and a new one with the same ports gets another address: it may be the same one under another name.',
    fix: 'To keep the address, run the `leasehold rename` that the message names on the branch. Merge this when they are different Services.',
  },
  OBJECTS_REPLACED: {
    title:
      'Objects of leases that stay are deleted and created again under other names, because the naming, the provider or the layout changed.',
    fix: 'Every connection through them is cut once. Merge this at a quiet hour, or undo the change of leases/pools.yaml.',
  },
  FENCE_CLOSED: {
    title:
      'The fence of an open pool is closed: only declared Services can use the pool from then on.',
    fix: 'A Service with an address of the pool loses it unless it is declared and has the labels. Merge this when everything declared is live and `leasehold verify` reports no Service that the pool would lose.',
  },
  FENCE_OPENED: {
    title:
      'A pool is open to every Service in its clusters: its addresses are not restricted to declared Services.',
    fix: 'Merge this to take over a live pool, and close it soon. Until then any Service can get an address that it requests, if no live Service has it, even if the address is leased but not applied yet, reserved, or kept after its release.',
  },
  RETENTION_SHORTENED: {
    title:
      'An address or a hostname will be kept after its release for a shorter time than before.',
    fix: 'The earlier retention still applies once, by keepUntil. Merge this when the holder knows.',
  },
  PROMISE_OVER: {
    title: 'The last day of a promise is over, and its file is still there.',
    fix: 'Run `leasehold prune`, which removes the file and releases the address. To keep the address, write a later day into the file.',
  },
  NEVER_LIVE: {
    title:
      'An address was allocated and released within the branch. It was never live, and is kept all the same.',
    fix: 'Remove its allocation file with `git rm`, so that the address is free at once. Keep it only if the base records nothing yet, or if a holder was moved twice and the address is the one in between.',
  },
  METALLB_CHANGED: {
    title:
      'The declared version of MetalLB changes, or live Services get annotations that old versions ignore.',
    fix: 'Keep the order that it names. Addresses stay in either order, but while the declared version is newer than the running one, leasehold accepts changes that the running one does not handle.',
  },
  PLANE_STEP: {
    title: 'A cluster goes to another data plane.',
    fix: 'Merge this only when `leasehold migrate-plane` finds the cluster ready: each Service with the label of its pool, and the controller of the old plane stopped.',
  },
  LAYOUT_STEP: {
    title: 'A cluster takes one of the two steps to another layout.',
    fix: 'Do what the message says, then merge. The author has the kubectl commands from the output of `leasehold migrate-layout`.',
  },
  EDIT_DROPPED: {
    title: 'A merge on the branch left out an edit that the base has: the branch takes it back.',
    fix: 'Merge this when the edit should be undone. Otherwise make it again on the branch, in a commit after the merge.',
  },
  POOLS_CHANGED: {
    title: 'The pool file changes a cluster, a pool, a quota or another setting.',
    fix: 'Review the change of leases/pools.yaml itself. What it does to present leases and hostnames is in the other lines of the plan.',
  },
  LINK_LOCAL: {
    title:
      'A new range of a pool has link-local addresses, which are reachable only on their own link.',
    fix: 'Merge this when all users of the addresses are on that link. Otherwise remove them from the pool in leases/pools.yaml.',
  },
  BLOCK_ENDS: {
    title:
      'A pool that is announced by L2 has the first or last address of a new block. In a network of its own these are the network, the broadcast and the router addresses.',
    fix: 'Merge this when the block is a part of a larger network, or is routed to the nodes: then all its addresses work. If it is the network of the nodes, add these addresses to reserved.',
  },
  PUBLIC_PORT_SHARED: {
    title: 'Several addresses behind one public address have the same port.',
    fix: 'Merge this when the NAT has another public port for all but one of them: it forwards a port to one address. Otherwise give one of them another port, or another outside address in the nat of its pool.',
  },
  POLICY_CHANGED: {
    title: 'The policy of who may declare what changes.',
    fix: 'Review the change of leases/policy.yaml itself. It applies from the next pull request on. This one is checked against both policies.',
  },
  OTHER_TENANT: {
    title:
      'A pull request changes files or moves addresses of more than one tenant, or of a tenant and the operators.',
    fix: 'Merge this when reviewers of each tenant, or the operators, have approved it. One pull request for each is better.',
  },
  TENANT_CHANGED: {
    title: 'A declaration moves from the folder of one tenant to the folder of another.',
    fix: 'Merge this when both agree. The other tenant controls the address or hostname from then on.',
  },
  KEY_CHANGED: {
    title: 'A key that addresses are held or kept with is replaced or removed.',
    fix: 'Merge this when the owner of the key has requested it. From then on the other secret controls what is signed over to it.',
  },
  PROOF_CHANGED: {
    title: 'A proof of a domain is new, has another day, or is removed.',
    fix: 'Merge this when `leasehold prove --check --base accepts` it: a proof can be written by hand. Without its proof a hostname is refused if the pool file requires one.',
  },
  RETENTION_NONE: {
    title: 'An address or a hostname is released, and has no retention.',
    fix: 'Another holder can get it on the same day, while old clients still use it. Set retentionDays of the pool, or of hostnames, to 1 or more in leases/pools.yaml.',
  },
  NO_ADDRESS: {
    title: 'A new Service is declared, and gets no address.',
    fix: 'Set type: LoadBalancer in its spec if it should have one. Otherwise merge this: the Service is applied without an address.',
  },
  OTHER_BALANCER: {
    title: 'A Service asks another load balancer for an address.',
    fix: 'To keep that address, pin it: spec.loadBalancerIP, or the annotation metallb.io/loadBalancerIPs. Then remove the annotation of the other load balancer. A Service that it should serve does not belong here.',
  },
  GIVES_NOTHING: {
    title: 'A pool, a zone, a cluster or a quota gives no address from now on.',
    fix: 'Merge this when no new address of it is needed: the addresses that are held stay. Otherwise add an active pool in leases/pools.yaml; for a quota, raise it.',
  },
  POOL_FILLING: {
    title: 'A pool has 80 % or more of its addresses in use.',
    fix: 'Add addresses to it in leases/pools.yaml before new leases need them.',
  },
  LAYOUT_COSTLY: {
    title: 'With layout: lease, a cluster gets more IPAddressPools than MetalLB handles quickly.',
    fix: 'Merge this when slower changes are acceptable: each further lease takes longer than the one before. `leasehold migrate-layout pool` changes the layout without an outage.',
  },
  ENGINE_LOADED: {
    title: 'One Application or Kustomization gets more than 2,000 objects.',
    fix: 'Merge this when slower syncs are acceptable: the engine compares all of them at each commit. Set shards of the cluster in leases/pools.yaml before its first lease. Later, `leasehold explain SHARDS_CHANGED` shows how.',
  },
  ENGINE_PRUNES: {
    title: 'Argo CD or Flux will delete objects.',
    fix: 'Merge this when the objects should be deleted. Argo CD and Flux prune only if configured to.',
  },
  BASE_BROKEN: {
    title: 'The base commit has problems of its own, so the comparison is incomplete.',
    fix: 'Fix the target branch first. Changes of claims may be missing from the plan.',
  },
} as const satisfies Record<string, CodeExplanation>;

/** A stable code of a caution. */
export type CautionCode = keyof typeof cautionCodes;
