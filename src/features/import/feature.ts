import type { Feature } from '../../core/cli/feature.ts';
import { adds } from '../../core/interfaces/extension.ts';
import { adoption } from '../../lib/kubernetes/adoption.ts';

/** Takes over addresses from a live cluster, MetalLB, Kubespray, NetBox, vitistack or an SDL. */
export const imports: Feature = {
  name: 'import',
  codes: async () => (await import('./codes.ts')).importProblems,
  part: async () => ({ codes: (await import('./codes.ts')).importProblems }),
  adds: [adds(adoption, async () => (await import('./adopted-cluster.ts')).readCluster)],
  commands: {
    import: {
      group: 'start',
      summary: 'take over addresses from another tool or a cluster',
      description: 'take over addresses from another tool or a cluster, and synthesize',
      load: async () => (await import('./cli/import-command.ts')).importCommands,
    },
  },
  examples: {
    import: [
      ['what the cluster of the current context has', 'import cluster'],
      ['MetalLB pools from a file', 'import metallb metallb.yaml'],
    ],
    'import cluster': [
      ['read another cluster than the current one', 'import cluster --context production'],
      [
        'read a file: kubectl get -A -o yaml ipaddresspools,l2advertisements,svc',
        'import cluster cluster.yaml',
      ],
    ],
    'import kubespray': [
      ['pools from the variables of an inventory', 'import kubespray addons.yml'],
      ['later files override earlier ones', 'import kubespray addons.yml k8s-cluster.yml'],
    ],
    'import metallb': [
      ['pools and advertisements from a file', 'import metallb metallb.yaml'],
      ['pools from standard input', 'import metallb - --zone edge'],
    ],
    'import netbox': [
      ['all prefixes with a tag are pools', 'import netbox prefixes.json --tag metallb'],
      [
        'a pool for each zone that a custom field names',
        'import netbox prefixes.json --zone-field k8s_zone',
      ],
    ],
    'import sdl': [
      [
        'declare a lease with the endpoints of its SDL',
        'import sdl deploy.yaml \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600002/1/1',
      ],
      [
        'give an endpoint an exact address',
        'import sdl deploy.yaml --address myip=203.0.113.9 \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600002/1/1',
      ],
    ],
    'import vitistack': [
      ['read the cluster of the current context', 'import vitistack'],
      ['declare what an export has', 'import vitistack vitistack.yaml --zone inet'],
    ],
  },
};
