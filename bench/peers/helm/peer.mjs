import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { measureProgram } from '../../measure.mjs';

/** Helm makes the same objects, in one file. */
export const helm = {
  name: 'helm',
  version: 'v4.3.1',
  program: 'helm.sh/helm/v4/cmd/helm',
  row: 'helm template',
  about: 'Helm counts addresses up, checks nothing, and writes one file.',
  most: 5000,
  prepare,
  run: ({ folder, out, work }) =>
    measureProgram(join(folder, 'helm'), ['template', 'leases', work, '--output-dir', out]),
};

/** Puts the declarations into the folder of the chart: Helm reads no others. */
function prepare({ root, work }) {
  cpSync(join(import.meta.dirname, 'chart'), work, { recursive: true });
  const leases = join(root, 'leases');
  cpSync(leases, join(work, 'leases'), {
    recursive: true,
    filter: (path) => !path.startsWith(join(leases, 'allocations')),
  });
  cpSync(join(leases, 'pools.yaml'), join(work, 'pools.yaml'));
}
