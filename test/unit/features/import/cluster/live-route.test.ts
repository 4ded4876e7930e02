import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '../../../../../src/features/import/cluster/cluster-source.ts';
import type { LiveRoute } from '../../../../../src/features/import/imported.ts';
import { documentsOf } from '../../../../../src/features/import/metallb/metallb-source.ts';
import { exportedList } from '../../../../support/imports/exported-cluster.ts';
import {
  exportedIngress,
  exportedRoute,
  pathTo,
  ruleTo,
} from '../../../../support/imports/exported-routes.ts';
import { importFiles } from '../../../../support/imports/import-outcome.ts';

function routeOf(object: object): LiveRoute {
  const files = importFiles({ 'live.json': exportedList(object) });
  const outcome = readClusterObjects(files.map(documentsOf));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  const [route] = outcome.value.live?.routes ?? [];
  if (!route) throw new Error('no route was read');
  return route;
}

/** Why nothing of a route with one hostname can be declared, or where it leads to. */
function readingOf(object: object): string {
  const { obstacle, hosts } = routeOf(object);
  const target = hosts[0]?.target ?? 'no hostname';
  return obstacle ?? (typeof target === 'string' ? target : `${target.service}:${target.port}`);
}

const withRules = (...rules: readonly object[]) => ({ spec: { rules } });
const withBackends = (...backendRefs: readonly object[]) => withRules({ ...ruleTo(), backendRefs });
const withParents = (...parentRefs: readonly object[]) => ({ spec: { parentRefs } });
const withPaths = (...paths: readonly object[]) =>
  withRules({ host: 'a.example.com', http: { paths } });

describe('a live HTTPRoute', () => {
  const reading = (odd: object) =>
    readingOf(exportedRoute({ name: 'a', hostnames: ['a.example.com'], ...odd }));

  it.each([
    ['web:8080', {}],
    ['web:80', withBackends({ name: 'web', namespace: 'shop', port: 80 })],
    ['web:80', withRules({ backendRefs: [{ name: 'web', port: 80 }], name: 'all' })],
    ['web:8080', withRules({ ...ruleTo(), matches: [{}] })],
    ['web:8080', withParents({ name: 'public', namespace: 'gateways' })],
    ['it is being deleted', { metadata: { deletionTimestamp: '2026-11-01T00:00:00Z' } }],
    ['it has several rules', withRules(ruleTo(), ruleTo())],
    ['it has no rules', withRules()],
    ["its rule has 'mirrors', which a Hostname cannot have", withRules({ mirrors: [] })],
    ['it has filters', withRules({ ...ruleTo(), filters: [{}] })],
    ['it has several matches', withRules({ ...ruleTo(), matches: [{}, {}] })],
    [
      'it matches only some requests, and a Hostname routes all',
      withRules({ ...ruleTo(), matches: [{ path: { type: 'PathPrefix', value: '/api' } }] }),
    ],
    ['it has no backend', withBackends()],
    ['it has several backends', withBackends({ name: 'a', port: 1 }, { name: 'b', port: 1 })],
    ['its backend has filters', withBackends({ name: 'web', port: 1, filters: [{}] })],
    ['its backend has the weight 0', withBackends({ name: 'web', port: 1, weight: 0 })],
    ['its backend has no port', withBackends({ name: 'web' })],
    ['its backend is in the namespace b', withBackends({ name: 'a', namespace: 'b', port: 1 })],
    ['its backend is a Bucket, not a Service', withBackends({ kind: 'Bucket', name: 'web' })],
    ['it is attached to no Gateway', withParents()],
    ['it is attached to a Service, not to a Gateway', withParents({ kind: 'Service', name: 'a' })],
    [
      'it is attached to several Gateways: shop/a, shop/b',
      withParents({ name: 'a' }, { name: 'b' }),
    ],
    ['the name of its Gateway cannot be read', withParents({ name: 'A b' })],
    [
      "it has 'spec.useDefaultGateways', which a Hostname cannot have",
      { spec: { useDefaultGateways: 'All' } },
    ],
    ['it has no hostnames, so it routes every name of its Gateway', { hostnames: [] }],
    ['its backend has no port', withBackends({ name: 7, port: 'x' })],
    ['it is attached to no Gateway', { spec: { parentRefs: 'x' } }],
  ])('is read, or why not: %s', (expected, odd) => {
    expect(reading(odd)).toBe(expected);
  });

  it('tells the listeners and the parts of its rule that it loses', () => {
    const parent = { name: 'public', namespace: 'gateways' };
    const odd = exportedRoute({
      name: 'a',
      hostnames: ['a.example.com'],
      spec: {
        parentRefs: [
          { ...parent, sectionName: 'https' },
          { ...parent, port: 8443 },
        ],
        rules: [{ ...ruleTo(), timeouts: {}, retry: {}, sessionPersistence: {} }],
      },
    });
    expect(routeOf(odd)).toMatchObject({
      place: { kind: 'HTTPRoute', gateway: { namespace: 'gateways', name: 'public' } },
      lost: [
        'its timeouts are not imported',
        'its retries are not imported',
        'its session persistence is not imported',
        'it is attached to the listener https and of port 8443, and the HTTPRoute of leasehold to every listener of the Gateway',
      ],
    });
  });
});

describe('a live Ingress', () => {
  const reading = (odd: object) =>
    readingOf(exportedIngress({ name: 'a', hostnames: ['a.example.com'], ...odd }));
  const annotated = (key: string) => ({ metadata: { annotations: { [key]: 'nginx' } } });

  it.each([
    ['web:8080', {}],
    ['web:8080', withPaths({ ...pathTo(), path: undefined, pathType: 'ImplementationSpecific' })],
    ['web:8080', annotated('kubernetes.io/ingress.class')],
    ['web:8080', annotated('meta.helm.sh/release-name')],
    [
      'it has the annotation nginx.ingress.kubernetes.io/auth-url, which a Hostname cannot have',
      annotated('nginx.ingress.kubernetes.io/auth-url'),
    ],
    ["it has TLS, and leasehold's Ingress has none", { spec: { tls: [{}] } }],
    ['it has a default backend', { spec: { defaultBackend: {} } }],
    ["it has 'spec.more', which a Hostname cannot have", { spec: { more: 1 } }],
    ['it names no class', { spec: { ingressClassName: undefined } }],
    ['the name of its class cannot be read', { spec: { ingressClassName: 'Nginx 2' } }],
    ['it has no rules', withRules()],
    ['it has a rule without a host, which routes every name', withRules({ http: {} })],
    ['it has no paths', withPaths()],
    ['it has several paths', withPaths(pathTo(), pathTo())],
    [
      'it routes only some paths, and a Hostname routes all',
      withPaths({ ...pathTo(), path: '/api' }),
    ],
    [
      'it routes only some paths, and a Hostname routes all',
      withPaths({ ...pathTo(), pathType: 'Exact' }),
    ],
    ['its backend is no Service', withPaths({ path: '/', backend: { resource: {} } })],
    ['its backend has no port', withPaths(pathTo('web', {}))],
    [
      'the number of the port http of Service web is not in the source',
      withPaths(pathTo('web', { name: 'http' })),
    ],
    ['it has several rules for the hostname', { hostnames: ['a.example.com', 'a.example.com'] }],
  ])('is read, or why not: %s', (expected, odd) => {
    expect(reading(odd)).toBe(expected);
  });
});

describe('an odd route', () => {
  it('is left when it holds a forbidden character, and nothing fails', () => {
    const rules = [{ ...ruleTo(), matches: [{ path: { type: 'Exact', value: '/\u202e' } }] }];
    const object = exportedRoute({ name: 'odd', hostnames: ['a.example.com'], spec: { rules } });
    const files = importFiles({ 'live.json': exportedList(object) });
    const outcome = readClusterObjects(files.map(documentsOf));
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        live: { routes: [] },
        notes: [{ effect: 'left', subject: 'HTTPRoute shop/odd' }],
      },
    });
  });
});
