import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import {
  type MetalLBArgoCD,
  metalLBArgoCDText,
} from '../../../../../src/features/setup/bootstrap/metallb-argocd.ts';
import type { MetalLBInstall } from '../../../../../src/features/setup/bootstrap/metallb-install.ts';
import {
  helmText,
  metalLBFluxText,
  metalLBKustomizeText,
  metalLBNamespace,
  metalLBValues,
  monitoringService,
} from '../../../../../src/features/setup/bootstrap/metallb-objects.ts';

const install: MetalLBInstall = { version: '0.14.9', namespace: 'lb', bgp: 'frr' };
const objectsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
const privileged = {
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
};

describe('chart values', () => {
  test.each([
    ['0.13.9', 'native', undefined, false],
    ['0.13.12', 'frr', undefined, true],
    ['0.14.0', 'native', false, false],
    ['0.15.3', 'frr-k8s', true, false],
    ['0.16.1', 'frr', false, true],
    ['0.16.1', 'frr-k8s', true, false],
  ] as const)(
    'of %s with %s BGP say what other versions have by default',
    (version, bgp, frrK8s, frr) => {
      const values = metalLBValues({ version, bgp });
      expect(values).toEqual({
        controller: { webhookMode: 'enabled' },
        crds: { enabled: true, validationFailurePolicy: 'Fail' },
        frrk8s: frrK8s === undefined ? undefined : { enabled: frrK8s },
        speaker: { frr: { enabled: frr } },
      });
    },
  );

  test('name the declared loadBalancerClass', () => {
    expect(parse(helmText(install, undefined))).not.toHaveProperty('loadBalancerClass');
    const classed = { ...install, loadBalancerClass: 'metallb.io/metallb' };
    expect(parse(helmText(classed, undefined)).loadBalancerClass).toBe('metallb.io/metallb');
  });

  test('have commands with the same version, namespace and cluster', () => {
    const text = helmText(install, 'east');
    expect(text).toContain(
      '#   npx --no -- leasehold bootstrap namespace --cluster east | kubectl',
    );
    expect(text).toContain(' --version 0.14.9 --namespace lb --values FILE\n');
    expect(parse(text)).toEqual(metalLBValues(install));
    expect(helmText(install, undefined)).toContain('bootstrap namespace | kubectl');
  });
});

describe('for Argo CD', () => {
  const target: MetalLBArgoCD = {
    namespace: 'gitops',
    project: 'lb',
    clusters: [{ name: 'default', server: 'https://kubernetes.default.svc', install }],
  };

  test("the project allows the chart in MetalLB's namespace, and every kind that it renders", () => {
    const [{ metadata, spec }] = objectsIn(metalLBArgoCDText(target));
    expect(metadata).toEqual({ name: 'lb', namespace: 'gitops' });
    expect(spec.sourceRepos).toEqual(['https://metallb.github.io/metallb']);
    expect(spec.destinations).toEqual([
      { namespace: 'lb', server: 'https://kubernetes.default.svc' },
    ]);
    const kinds = [...spec.clusterResourceWhitelist, ...spec.namespaceResourceWhitelist];
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual([
      'Namespace',
      'ValidatingWebhookConfiguration',
      'CustomResourceDefinition',
      'ClusterRole',
      'ClusterRoleBinding',
      'ConfigMap',
      'Secret',
      'Service',
      'ServiceAccount',
      'DaemonSet',
      'Deployment',
      'Role',
      'RoleBinding',
    ]);
  });

  test("an Application never prunes, and ignores MetalLB's certificates", () => {
    const [, { metadata, spec }] = objectsIn(metalLBArgoCDText(target));
    expect(metadata).toEqual({ name: 'lb', namespace: 'gitops' });
    expect(spec.source).toEqual({
      repoURL: 'https://metallb.github.io/metallb',
      chart: 'metallb',
      targetRevision: '0.14.9',
      helm: { releaseName: 'metallb', valuesObject: metalLBValues(install) },
    });
    expect(spec.syncPolicy.automated).toEqual({ prune: false, selfHeal: true });
    expect(spec.syncPolicy.syncOptions).toEqual([
      'CreateNamespace=true',
      'RespectIgnoreDifferences=true',
    ]);
    expect(spec.syncPolicy.managedNamespaceMetadata.labels).toEqual(privileged);
    expect(spec.ignoreDifferences.map(({ kind }: { kind: string }) => kind)).toEqual([
      'ValidatingWebhookConfiguration',
      'CustomResourceDefinition',
    ]);
  });

  test('each of several clusters has an Application, with its own MetalLB', () => {
    const [west, east] = ['west', 'east'].map((name) => ({
      name,
      server: `https://${name}.example.com`,
      install: { ...install, version: name === 'west' ? '0.16.1' : '0.15.3', namespace: name },
    }));
    const objects = objectsIn(metalLBArgoCDText({ ...target, clusters: [west!, east!] }));
    const [project, ...applications] = objects;
    expect(project.spec.destinations).toHaveLength(2);
    expect(
      applications.map(({ metadata, spec }) => [
        metadata.name,
        spec.source.targetRevision,
        spec.destination,
      ]),
    ).toEqual([
      ['lb-west', '0.16.1', { namespace: 'west', server: 'https://west.example.com' }],
      ['lb-east', '0.15.3', { namespace: 'east', server: 'https://east.example.com' }],
    ]);
  });
});

test('Flux gets the namespace, the chart and a release with the usual name', () => {
  const [namespace, repository, release] = objectsIn(
    metalLBFluxText({ namespace: 'flux', name: 'balancer', install }),
  );
  expect(namespace).toEqual(metalLBNamespace('lb'));
  expect(repository.metadata).toEqual({ name: 'balancer', namespace: 'flux' });
  expect(release.metadata).toEqual({ name: 'balancer', namespace: 'flux' });
  expect(release.spec).toEqual({
    interval: '1h',
    chart: {
      spec: {
        chart: 'metallb',
        version: '0.14.9',
        sourceRef: { kind: 'HelmRepository', name: 'balancer' },
      },
    },
    releaseName: 'metallb',
    storageNamespace: 'lb',
    targetNamespace: 'lb',
    values: metalLBValues(install),
  });
});

test('kustomize uses the manifest of the mode at the tag of the version', () => {
  const { resources } = parse(metalLBKustomizeText({ ...install, bgp: 'frr-k8s' }));
  expect(resources).toEqual([
    'https://raw.githubusercontent.com/metallb/metallb/v0.14.9/config/manifests/metallb-frr-k8s.yaml',
  ]);
});

test('the namespace allows privileged pods, and no engine prunes it', () => {
  const { metadata } = metalLBNamespace('lb') as { metadata: Record<string, unknown> };
  expect(metadata).toEqual({
    name: 'lb',
    labels: privileged,
    annotations: {
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    },
  });
});

test.each([
  [
    'chart',
    {
      'app.kubernetes.io/name': 'metallb',
      'app.kubernetes.io/instance': 'metallb',
      'app.kubernetes.io/component': 'controller',
    },
  ],
  ['manifest', { app: 'metallb', component: 'controller' }],
] as const)('the Service for metrics selects the controller of the %s', (source, selector) => {
  const { metadata, spec } = monitoringService('metallb-system', source);
  expect(metadata).toEqual({ name: 'controller', namespace: 'metallb-system' });
  expect(spec).toEqual({
    type: 'ClusterIP',
    selector,
    ports: [{ name: 'monitoring', protocol: 'TCP', port: 7472, targetPort: 'monitoring' }],
  });
});
