import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '../../../../../src/features/import/cluster/cluster-source.ts';
import { routeOptions } from '../../../../../src/features/import/cluster/route-options.ts';
import { documentsOf } from '../../../../../src/features/import/metallb/metallb-source.ts';
import { exportedList } from '../../../../support/imports/exported-cluster.ts';
import { exportedRoute } from '../../../../support/imports/exported-routes.ts';
import { importFiles } from '../../../../support/imports/import-outcome.ts';

const nginx = 'nginx.ingress.kubernetes.io';

describe('the HTTP options of a live route', () => {
  it('are read from the annotations of the Akash provider, in milliseconds', () => {
    expect(
      routeOptions('Ingress', {
        [`${nginx}/proxy-body-size`]: '104857600',
        [`${nginx}/proxy-read-timeout`]: '2',
        [`${nginx}/proxy-send-timeout`]: '60',
        [`${nginx}/proxy-next-upstream-tries`]: '3',
        [`${nginx}/proxy-next-upstream-timeout`]: '0',
        [`${nginx}/proxy-next-upstream`]: 'error timeout http_502',
      }),
    ).toEqual({
      maxBodySize: 104_857_600,
      readTimeout: 2000,
      sendTimeout: 60_000,
      nextTries: 3,
      nextTimeout: 0,
      nextCases: ['error', 'timeout', '502'],
    });
    expect(
      routeOptions('HTTPRoute', {
        'nginx.org/client-max-body-size': '2048',
        'nginx.org/proxy-next-upstream-timeout': '5s',
        [`${nginx}/proxy-read-timeout`]: '2',
      }),
    ).toEqual({ maxBodySize: 2048, nextTimeout: 5000 });
  });

  it('are left out when they cannot be read', () => {
    const annotations = {
      [`${nginx}/proxy-body-size`]: '8m',
      [`${nginx}/proxy-read-timeout`]: '-1',
      [`${nginx}/proxy-send-timeout`]: '9'.repeat(20),
      [`${nginx}/proxy-next-upstream`]: '',
    };
    expect(routeOptions('Ingress', annotations)).toEqual({});
  });

  it('are those of the policies of NGINX Gateway Fabric for an HTTPRoute, which win', () => {
    const policy = (kind: string, spec: object, namespace = 'shop') => ({
      apiVersion: 'gateway.nginx.org/v1alpha1',
      kind,
      metadata: { name: kind.toLowerCase(), namespace },
      spec,
    });
    const target = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'web' };
    const gateway = { ...target, kind: 'Gateway' };
    const annotations = {
      'nginx.org/client-max-body-size': '7',
      'nginx.org/proxy-next-upstream-tries': '5',
    };
    const list = exportedList(
      exportedRoute({ name: 'web', hostnames: ['a.example.com'], metadata: { annotations } }),
      policy('ClientSettingsPolicy', { targetRef: target, body: { maxSize: '8m' } }),
      policy('ProxySettingsPolicy', {
        targetRefs: [target, gateway],
        timeout: { read: '90ms', send: '1m' },
      }),
      policy('ClientSettingsPolicy', { targetRef: target, body: { maxSize: '1k' } }, 'blog'),
      policy('ProxySettingsPolicy', { targetRefs: 7, timeout: { read: '1 hour' } }, 'blog'),
    );
    const read = readClusterObjects(importFiles({ 'live.json': list }).map(documentsOf));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const [route] = read.value.live?.routes ?? [];
    expect(route?.http).toEqual({
      maxBodySize: 8 * 2 ** 20,
      readTimeout: 90,
      sendTimeout: 60_000,
      nextTries: 5,
    });
    expect([...(route?.applied ?? [])].sort()).toEqual([
      'maxBodySize',
      'readTimeout',
      'sendTimeout',
    ]);
  });
});
