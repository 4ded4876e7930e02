import type { Feature } from '../../core/cli/feature.ts';
import { adds } from '../../core/interfaces/extension.ts';
import { adoption } from '../../lib/kubernetes/adoption.ts';
import { poolSourceNames, poolSources } from './sources.ts';

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
    ...Object.fromEntries(
      poolSourceNames.map((name) => [`import ${name}`, poolSources[name].examples]),
    ),
  },
};
