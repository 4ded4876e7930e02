import type { Feature } from '../../core/cli/feature.ts';
import { adds } from '../../core/interfaces/extension.ts';
import { adoption } from '../../lib/kubernetes/adoption.ts';

/** Takes over addresses from a live cluster, MetalLB, Kubespray, NetBox, vitistack or an SDL. */
export const imports: Feature = {
  name: 'import',
  adds: [adds(adoption, async () => (await import('./adopted-cluster.ts')).readCluster)],
  commands: {
    import: {
      group: 'start',
      summary: 'take over addresses from another tool or a cluster',
      description: 'take over addresses from another tool or a cluster, and synthesize',
      load: async () => (await import('./cli/import-command.ts')).addImportCommand,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
