import type { ImportAnswer } from '../../../src/features/import/import-answer.ts';
import { exportedList } from './exported-cluster.ts';
import { beside, importedBy } from './imported-cluster.ts';
import { operatorPool, operatorService } from './vitistack-operator.ts';

/** The operator writes no advertisement: somebody has, for all pools. */
const announced = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'L2Advertisement',
  metadata: { name: 'zones', namespace: 'metallb-system' },
};

/** An export of such a cluster. */
export function exported(...objects: readonly object[]): string {
  return exportedList(...objects, announced);
}

/** A new repository beside an export of such a cluster. */
export function besideOperator(
  objects: readonly object[],
  files?: Readonly<Record<string, string>>,
): string {
  return beside([...objects, announced], files);
}

/** What an import of the export prints; it must go well. */
export function importedFromOperator(
  root: string,
  ...words: readonly string[]
): Promise<ImportAnswer> {
  return importedBy('vitistack', root, ...words);
}

/** A dual-stack Service that says much. */
export const web = operatorService({
  name: 'web',
  namespace: 'shop',
  addresses: ['192.0.2.7', '2001:db8::7'],
  ipam: {
    zone: 'inet',
    'deny-external-cleanup': 'true',
    'retention-period-days': '7',
    'allow-local-shared-ip': 'front',
  },
});
/** A Service that says nothing. */
export const api = operatorService({ name: 'api', namespace: 'shop', addresses: ['10.0.0.4'] });
/** A Service of a chart. */
export const chart = operatorService({
  name: 'mail',
  namespace: 'mail',
  addresses: ['192.0.2.8'],
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  ipam: { zone: 'inet', 'retention-period-days': '14', 'deny-external-cleanup': '1' },
});
/** The pools that these three stand on. */
export const zones = [
  operatorPool('hnet-private', ['10.0.0.4']),
  operatorPool('inet', ['192.0.2.7', '2001:db8::7', '192.0.2.8']),
];
