import type { CodeExplanation } from './code-explanation.ts';

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
} as const satisfies Record<string, CodeExplanation>;
