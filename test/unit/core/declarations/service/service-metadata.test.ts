import { describe, expect, it } from 'vitest';
import {
  declaredBy,
  problemsOf,
  serviceText,
} from '../../../../support/declarations/read-declaration.ts';

const codesOf = (text: string): string[] => problemsOf(text).map(({ code }) => code);

describe('the annotations of a Service', () => {
  it.each([
    'example.com/note',
    'note',
    'service.kubernetes.io/topology-mode',
    'external-dns.alpha.kubernetes.io/hostname',
    'notargoproj.io/sync-wave',
    'metallb.io.example.com/pool',
  ])('may have %s', (key) => {
    const { written } = declaredBy(serviceText({ annotations: { [key]: 'x' } })) as {
      readonly written?: object;
    };

    expect(written).toMatchObject({ annotations: { [key]: 'x' } });
  });

  it.each([
    'argocd.argoproj.io/sync-wave',
    'notified.notifications.argoproj.io/x',
    'ArgoCD.argoproj.io/sync-wave',
    'kustomize.toolkit.fluxcd.io/reconcile',
    'kubectl.kubernetes.io/restartedAt',
    'helm.sh/resource-policy',
    'config.kubernetes.io/local-config',
    'kustomize.config.k8s.io/behavior',
    'metallb.universe.tf/ip-allocated-from-pool',
    'service.beta.kubernetes.io/load-balancer-source-ranges',
    'service.kubernetes.io/topology-aware-hints',
  ])(
    'may not have %s, which controls a tool, is set by another program, or is deprecated',
    (key) => {
      expect(codesOf(serviceText({ annotations: { [key]: 'x' } }))).toEqual(['METADATA_REFUSED']);
    },
  );

  it.each([
    'ipam.vitistack.io/address',
    'ipam.vitistack.io/anything',
    'leasehold.dev/zone',
    'metallb.io/ip',
    'Metallb.io/address-pool',
    'ipam.vitistack.oi/zone',
  ])('may not have %s, which is unknown', (key) => {
    expect(codesOf(serviceText({ annotations: { [key]: 'x' } }))).toEqual(['ANNOTATION_UNKNOWN']);
  });
});

describe('the labels of a Service', () => {
  it.each([
    'app.kubernetes.io/name: web',
    'helm.sh/chart: web-1',
    'app.kubernetes.io/managed-by: leasehold',
    'not-akash.network/x: y',
  ])('may have %s', (label) => {
    expect(codesOf(serviceText({ metadata: `labels: { ${label} }` }))).toEqual([]);
  });

  it.each([
    'app.kubernetes.io/managed-by: Helm',
    "app.kubernetes.io/managed-by: ''",
    'akash.network: "true"',
    'akash.network/namespace: web',
    'leasehold.dev/reserved: "true"',
    'argocd.argoproj.io/instance: all',
    'kustomize.toolkit.fluxcd.io/name: all',
    'applyset.kubernetes.io/part-of: all',
  ])('may not have %s', (label) => {
    expect(codesOf(serviceText({ metadata: `labels: { ${label} }` }))).toEqual([
      'METADATA_REFUSED',
    ]);
  });
});
