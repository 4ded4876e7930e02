import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ingressNginxAnnotations,
  nginxPolicies,
} from '../../../../../src/core/manifests/objects/http-options.ts';
import { checkManifest } from '../../../../../src/core/manifests/rules/schema-check.ts';
import { defaultHttp, type HttpOptions } from '../../../../../src/core/model/lease.ts';

const route = {
  name: 'shop.example.com',
  namespace: 'shop',
  labels: { 'app.kubernetes.io/managed-by': 'leasehold' },
  annotations: { 'argocd.argoproj.io/sync-wave': '2' },
};

function policiesFor(changed: Partial<HttpOptions>) {
  return nginxPolicies(route, { ...defaultHttp, ...changed });
}

describe('the policies of NGINX Gateway Fabric', () => {
  test('are none for the default options', () => {
    expect(policiesFor({})).toEqual([]);
  });

  test.each([
    [1, '1'],
    [9999, '9999'],
    [10_000, '10k'],
    [1_048_577, '1025k'],
    [2_097_152, '2m'],
    [9999 * 1024, '9999k'],
    [9999 * 1024 + 1, '10m'],
    [104_857_600, '100m'],
  ])('have a size of at most four digits, rounded up: %d bytes', (maxBodySize, maxSize) => {
    expect(policiesFor({ maxBodySize })).toMatchObject([
      { kind: 'ClientSettingsPolicy', spec: { body: { maxSize } } },
    ]);
  });

  test.each([
    [{ readTimeout: 1 }, { read: '1s' }],
    [{ readTimeout: 1001 }, { read: '2s' }],
    [{ sendTimeout: 30_000 }, { send: '30s' }],
    [
      { readTimeout: 5000, sendTimeout: 59_999 },
      { read: '5s', send: '60s' },
    ],
  ])('have only the times that differ, rounded up to seconds: %j', (changed, timeout) => {
    const [policy, ...others] = policiesFor(changed);
    expect(policy).toMatchObject({ kind: 'ProxySettingsPolicy', spec: { timeout } });
    expect(others).toEqual([]);
  });

  test('and the annotations of ingress-nginx match their schemas for every option', () => {
    const times = fc.integer({ min: 1, max: 60_000 });
    const options = fc.record({
      maxBodySize: fc.integer({ min: 1, max: 104_857_600 }),
      readTimeout: times,
      sendTimeout: times,
      nextTries: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      nextTimeout: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      nextCases: fc.subarray(['error', 'timeout', '500', '404', 'off'], { minLength: 1 }),
    });
    fc.assert(
      fc.property(options, (http) => {
        for (const policy of nginxPolicies(route, http)) checkManifest(policy);
        checkManifest(ingressWith(ingressNginxAnnotations(http)));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

function ingressWith(options: Readonly<Record<string, string>>) {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...route, annotations: { ...route.annotations, ...options } },
    spec: { ingressClassName: 'nginx', rules: [{ host: 'shop.example.com', http }] },
  };
}

/** Akash provider: kubeNginxIngressAnnotations of cluster/kube/client_ingress.go, for the same options. */
test('the annotations of ingress-nginx are those of the Akash provider, cases in the order of the SDL', () => {
  const nextCases = ['timeout', '503', 'error'];
  const http = { ...defaultHttp, readTimeout: 1500, nextTimeout: 2500, nextTries: 5, nextCases };
  expect(ingressNginxAnnotations(http)).toEqual({
    'nginx.ingress.kubernetes.io/proxy-body-size': '1048576',
    'nginx.ingress.kubernetes.io/proxy-next-upstream': 'timeout http_503 error',
    'nginx.ingress.kubernetes.io/proxy-next-upstream-timeout': '3',
    'nginx.ingress.kubernetes.io/proxy-next-upstream-tries': '5',
    'nginx.ingress.kubernetes.io/proxy-read-timeout': '2',
    'nginx.ingress.kubernetes.io/proxy-send-timeout': '60',
  });
});
