import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  doctor: [
    ['the cluster of the current context', 'doctor --cluster east'],
    ['another kubeconfig, for a script', 'doctor --kubeconfig west.conf --cluster west -o json'],
  ],
  verify: [
    ['go on comparing, and connect to each address', 'verify --watch --reach'],
    ['after a deployment: wait until all is well', 'verify --cluster east --timeout 5m'],
  ],
};
