import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '../../../../../src/features/import/cluster/cluster-source.ts';
import { documentsOf } from '../../../../../src/features/import/metallb/metallb-source.ts';
import {
  exportedList,
  exportedService,
  managedFields,
} from '../../../../support/imports/exported-cluster.ts';
import { importFiles } from '../../../../support/imports/import-outcome.ts';

/** Who manages a live Service with such metadata. */
function managerOf(metadata: object): string | undefined {
  const service = exportedService({ name: 'app', addresses: ['192.0.2.7'], metadata });
  const files = importFiles({ 'live.yaml': exportedList(service) });
  const read = readClusterObjects(files.map(documentsOf));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.live?.services[0]?.manager;
}

describe('a live Service', () => {
  it.each([
    ['the Gateway edge', { ownerReferences: [{ kind: 'Gateway', name: 'edge' }] }],
    ['Helm', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }],
    ['Helm', { annotations: { 'meta.helm.sh/release-name': 'web' } }],
    ['Argo CD', { annotations: { 'argocd.argoproj.io/tracking-id': 'a:/Service:web/app' } }],
    ['a chart or Argo CD', { labels: { 'app.kubernetes.io/instance': 'web' } }],
    ['Flux', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } }],
    ['Flux', { labels: { 'helm.toolkit.fluxcd.io/name': 'apps' } }],
    ['Terraform', { managedFields: [{ manager: 'kubectl' }, { manager: 'Terraform' }] }],
    ['Flux', { annotations: { 'helm.toolkit.fluxcd.io/driftDetection': 'disabled' } }],
    ['istio-operator', { managedFields: [managedFields('istio-operator', 'f:spec')] }],
    [
      'OpenTofu',
      {
        managedFields: [
          managedFields('kubectl-edit', 'f:spec'),
          managedFields('OpenTofu', 'f:spec'),
        ],
      },
    ],
    ['something', { managedFields: [{ manager: 'something' }] }],
  ])('is managed by %s', (manager, metadata) => {
    expect(managerOf(metadata)).toBe(manager);
  });

  it.each([
    [{}],
    [{ labels: { 'app.kubernetes.io/managed-by': 'leasehold' } }],
    [{ annotations: { 'argocd.argoproj.io/sync-wave': '1' } }],
    [{ annotations: { 'kubectl.kubernetes.io/restartedAt': 'then' } }],
    [{ managedFields: [{ manager: 'controller', subresource: 'status' }] }],
    [{ managedFields: [managedFields('rancher', 'f:metadata')] }],
    [{ managedFields: [{ manager: 'controller', fieldsV1: { 'f:status': {} } }] }],
  ])('has no manager with %j', (metadata) => {
    expect(managerOf(metadata)).toBeUndefined();
  });

  it.each([
    'kubectl',
    'kubectl-client-side-apply',
    'kubectl.exe',
    'oc',
    'k9s',
    'Lens',
    'node-fetch',
    'Mozilla',
    'before-first-apply',
  ])('has no manager when a person applied it with %s', (tool) => {
    const metadata = { managedFields: [managedFields(tool, 'f:spec')] };
    expect(managerOf(metadata)).toBeUndefined();
  });
});
