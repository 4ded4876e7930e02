import type { TreeMap } from '../../../manifests/manifest.ts';
import { metalLBChart } from './metallb-chart.ts';
import type { MetalLBSource } from './metallb-choices.ts';

/** Labels of the controller's pods. MetalLB: charts/metallb/templates/_helpers.tpl, config/controllers/controllers.yaml. */
const selectors = {
  chart: {
    'app.kubernetes.io/component': 'controller',
    'app.kubernetes.io/instance': metalLBChart.release,
    'app.kubernetes.io/name': metalLBChart.name,
  },
  manifest: { app: 'metallb', component: 'controller' },
} as const;

/**
 * The Service by which the Akash IP operator finds MetalLB's metrics, of MetalLB before 0.16: the operator asks for
 * `_monitoring._TCP.controller.metallb-system`. Akash provider: cluster/kube/operators/clients/metallb/client.go.
 */
export function monitoringService(namespace: string, source: MetalLBSource): TreeMap {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'controller', namespace },
    spec: {
      type: 'ClusterIP',
      selector: selectors[source],
      ports: [{ name: 'monitoring', protocol: 'TCP', port: 7472, targetPort: 'monitoring' }],
    },
  };
}
