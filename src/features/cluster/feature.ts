import type { Feature } from '../../core/cli/feature.ts';

/** Compares a live cluster with what is committed, checks that it is ready, and moves it to another data plane. */
export const cluster: Feature = {
  name: 'cluster',
  commands: {
    doctor: {
      group: 'cluster',
      summary: 'check that a live cluster is ready for leasehold',
      description: 'check that a live cluster is ready for leasehold; change nothing',
      load: async () => (await import('./cli/doctor-command.ts')).doctorCommand,
    },
    'migrate-plane': {
      group: 'cluster',
      summary: 'move a live cluster to another data plane',
      description:
        'say what must be true before a live cluster goes from MetalLB to Cilium or back, and write it into leases/pools.yaml once it is',
      load: async () => (await import('./cli/migrate-plane-command.ts')).migratePlaneCommand,
    },
    verify: {
      group: 'cluster',
      summary: 'compare a live cluster with what is committed',
      description: 'compare a live cluster with what is committed; change nothing',
      load: async () => (await import('./cli/verify-command.ts')).verifyCommand,
    },
  },
  codes: async () => (await import('./doctor/finding-codes.ts')).findingCodes,
  examples: {
    doctor: [
      ['the cluster of the current context', 'doctor --cluster east'],
      ['another kubeconfig, for a script', 'doctor --kubeconfig west.conf --cluster west -o json'],
    ],
    'migrate-plane': [
      ['what must be true before', 'migrate-plane cilium --cluster east --dry-run'],
      ['another kubeconfig, for a script', 'migrate-plane metallb --kubeconfig west.conf -o json'],
    ],
    verify: [
      ['go on comparing, and connect to each address', 'verify --watch --reach'],
      ['after a deployment: wait until all is well', 'verify --cluster east --timeout 5m'],
    ],
  },
};
