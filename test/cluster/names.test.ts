import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { applyOnly, removed } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import { declared, service } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import {
  dnsDefinitions,
  type ExternalDns,
  startExternalDns,
} from '../support/cluster/machines/external-dns.ts';
import type { Keeper, Running } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import {
  askHost,
  gatewayDefinitions,
  startTraefik,
  traefikClasses,
  traefikGateway,
} from '../support/cluster/machines/traefik.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { addPods } from '../support/cluster/wire/pods.ts';
import { httpPort } from '../support/cluster/wire/wire.ts';
import { isLacking, wireIsMissing } from '../support/cluster/wire/wire-requirements.ts';
import { startWiredCluster, type WiredCluster } from '../support/cluster/wire/wired-cluster.ts';
import { hostnameText, leaseHostText } from '../support/declarations/hostname-text.ts';
import { provider } from '../support/declarations/pools-and-claims.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';

const isSkipped =
  inject('clusterIsMissing') !== '' || isLacking('names on the wire', wireIsMissing());

const gateway = { namespace: 'gateways', name: 'public' } as const;
/** Where Traefik listens on the first node. */
const traefikPort = 8000;

/** How the cluster routes, as a field of it in the pool file. */
const byGateway = `{ kind: HTTPRoute, gateway: { namespace: gateways, name: public }, service: { namespace: gateways, name: traefik } }`;
const byIngress = `{ kind: Ingress, className: traefik, service: { namespace: gateways, name: traefik } }`;

function poolsWith(routes: string): string {
  return poolsText(`provider: ${provider}
metallb: { version: 0.16.1 }
clusters: [{ name: default, routes: ${routes} }]
emit: { dnsEndpoints: true }
defaultZone: lan
pools: [{ name: lan, zone: lan, addresses: [192.168.77.128/28, 'fd77::80/124'] }]
`);
}

const declarations = {
  'leases/pools.yaml': poolsWith(byGateway),
  'leases/gateways/traefik.yaml': declared('gateways', 'traefik', {
    annotations: {
      'ipam.vitistack.io/ip-family': 'dual',
      'leasehold.dev/dns': 'gateway.example.net,*.gateway.example.net',
    },
    spec: { ports: [{ port: 80, targetPort: traefikPort }] },
  }),
  'leases/shop/shop.yaml': hostnameText('shop.example.com', { port: httpPort }),
  'leases/shop/apps.yaml': hostnameText('*.apps.example.com', { port: httpPort, service: 'api' }),
  'leases/tenant/1.yaml': leaseHostText('1', 'blog.example.com'),
};

/** A Service that its owner applies, and which a hostname routes to. */
const backend = (namespace: string, name: string, port: number) =>
  service(namespace, name, {
    spec: { type: 'ClusterIP', ports: [{ port, targetPort: httpPort }] },
  });

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(isSkipped)('Names on the wire', () => {
  describe('MetalLB 0.16.1, Traefik, external-dns', () => {
    let keeper: Keeper;
    let cluster: WiredCluster;
    let repository: LeaseRepository;
    let dns: ExternalDns;
    let traefik: Running;

    beforeAll(async () => {
      keeper = temporaryKeeper();
      cluster = await startWiredCluster(keeper, '0.16.1');
      const { kubeconfig, kube } = cluster.plane;
      for (const object of [...akashDefinitions(), ...gatewayDefinitions(), ...dnsDefinitions()])
        await kube.apply(object);
      for (const object of traefikClasses) await kube.apply(object);
      // A client that comes before a definition is served ends.
      await kube.list('gateway.networking.k8s.io/v1', 'HTTPRoute');
      await kube.list('externaldns.k8s.io/v1alpha1', 'DNSEndpoint');
      const zones = ['example.com', 'example.net', '77.168.192.in-addr.arpa', 'ip6.arpa'];
      dns = await startExternalDns({ keeper, kubeconfig, zones });
      const [node] = cluster.wire.nodes;
      traefik = await startTraefik({ keeper: node.namespace, kubeconfig, port: traefikPort });
      const folder = mkdtempSync(join(cluster.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
      await changed(declarations, '2026-11-20');
    });
    afterAll(async () => {
      await cluster?.close();
      await keeper?.close();
    });

    /** Changes declarations, applies what is planned then, and what people apply beside it. */
    async function changed(edit: Readonly<Record<string, string | undefined>>, day: string) {
      await repository.change(edit, day);
      const { kube } = cluster.plane;
      const planned = plannedIn(repository.root);
      await applyOnly(kube, planned);
      await kube.apply(traefikGateway(gateway.namespace, gateway.name));
      const backends = [
        backend('shop', 'web', httpPort),
        backend('shop', 'api', httpPort),
        backend(leaseNamespace(), 'web', 80),
      ];
      for (const one of backends) await kube.apply(one);
      await addPods(kube, backends);
      const balanced = planned.objects.filter(({ kind, spec }) => kind === 'Service' && spec.ports);
      await addPods(kube, balanced, cluster.wire.nodes[0]);
      await expectConverged(kube, cluster, planned);
    }

    /** The namespace of the one lease whose route is planned. */
    function leaseNamespace(): string {
      const { objects } = plannedIn(repository.root);
      const routes = objects.filter(({ kind }) => kind === 'HTTPRoute' || kind === 'Ingress');
      const namespaces = routes.flatMap(({ metadata: { namespace, labels } }) =>
        namespace && labels?.['akash.network/lease.id.dseq'] ? [namespace] : [],
      );
      expect(namespaces).toHaveLength(1);
      return namespaces[0] ?? '';
    }

    /** The addresses that DNS gives for a name, and for a name below a wildcard. */
    async function resolved(host: string): Promise<readonly string[]> {
      const records = (await dns.records('A', 'AAAA')).map((record) => record.split(' '));
      const parent = host.replace(/^[^.]+/, '*');
      return records.flatMap(([name, , value]) =>
        value && (name === host || name === parent) ? [value] : [],
      );
    }

    /** Waits until each address that DNS gives for a host leads to a Service, `namespace-name`. */
    async function expectRouted(host: string, to: string, path = '/'): Promise<void> {
      const ask = async (): Promise<true> => {
        const addresses = await resolved(host);
        expect(addresses).toHaveLength(2);
        for (const address of addresses) {
          const { status, body, routedTo } = await askHost(address, host, path);
          expect([status, body]).toEqual([200, `${host}${path}`]);
          expect(routedTo).toContain(to);
        }
        return true;
      };
      const programs = [traefik, dns.program, ...cluster.programs];
      await until(ask, { what: `an answer of ${host}`, within: 60_000, programs });
    }

    /** What `leasehold export zone` prints, as external-dns tells records. */
    async function exported(...options: readonly string[]): Promise<readonly string[]> {
      const { out } = await repository.leasehold('export', 'zone', ...options);
      const lines = out.trim().split('\n');
      return lines
        .map((line) => line.split(/\s+/))
        .map(([name = '', , , type, value = '']) => `${bare(name)} ${type} ${bare(value)}`)
        .sort();
    }
    const bare = (name: string) => name.replace(/\.$/, '');

    async function verify(): Promise<string> {
      const args = ['verify', '--kubeconfig', cluster.plane.kubeconfig];
      const { status, out } = await repository.leasehold(...args);
      return `${status} ${out}`;
    }

    async function expectVerified(): Promise<void> {
      const isVerified = async () => expect(await verify()).toMatch(/^0 /) === undefined || true;
      await until(isVerified, { what: 'a verified cluster', programs: [traefik] });
    }

    test('external-dns has exactly the records that leasehold export zone prints', async () => {
      const isEqual = async (): Promise<true> => {
        expect(await dns.records('A', 'AAAA')).toEqual(await exported());
        return true;
      };
      await until(isEqual, { what: 'the planned records', programs: [dns.program] });
      expect(await exported()).toHaveLength(2 * 5);
      const reverse = await dns.records('PTR');
      expect(reverse).toEqual(expect.arrayContaining([...(await exported('--reverse'))]));
      // external-dns names hostnames there too; both have none of a wildcard.
      expect(reverse).toHaveLength(2 * 3);
    });

    test('a request by a leased name reaches the Service that the name is leased to', async () => {
      await expectRouted('shop.example.com', 'shop-web');
      await expectRouted('a.apps.example.com', 'shop-api');
      await expectRouted('blog.example.com', `${leaseNamespace()}-web`);
      await expectVerified();
    });

    test('a name that nobody leases is answered by no Service', async () => {
      const [address = ''] = await resolved('shop.example.com');
      expect(await askHost(address, 'other.example.com')).toMatchObject({ status: 404 });
    });

    test('a hostname that is declared for another Service is routed there', async () => {
      const to = hostnameText('shop.example.com', { port: httpPort, service: 'api' });
      await changed({ 'leases/shop/shop.yaml': to }, '2026-11-21');
      await expectRouted('shop.example.com', 'shop-api');
    });

    test('a hostname moves from a lease to the next lease of its owner in one change', async () => {
      const before = leaseNamespace();
      const next = leaseHostText('2', 'blog.example.com');
      await changed(
        { 'leases/tenant/1.yaml': undefined, 'leases/tenant/2.yaml': next },
        '2026-11-22',
      );
      const after = leaseNamespace();
      expect(after).not.toBe(before);
      await expectRouted('blog.example.com', `${after}-web`);
      await expectVerified();
    });

    test('verify tells a hostname whose Service is not there', async () => {
      const nowhere = hostnameText('new.example.com', { port: httpPort, service: 'nowhere' });
      await changed({ 'leases/shop/new.yaml': nowhere }, '2026-11-22');
      const isTold = async (): Promise<true> => {
        expect(await verify()).toMatch(/^1 .*new\.example\.com.*ResolvedRefs is False/s);
        expect(await resolved('new.example.com')).toHaveLength(2);
        return true;
      };
      await until(isTold, { what: 'a route without a Service', programs: [traefik] });
    });

    test('a released hostname is answered by no Service, and has no record', async () => {
      await changed({ 'leases/shop/new.yaml': undefined }, '2026-11-23');
      const [address = ''] = await resolved('gateway.example.net');
      const isReleased = async (): Promise<true> => {
        expect(await resolved('new.example.com')).toEqual([]);
        expect(await askHost(address, 'new.example.com')).toMatchObject({ status: 404 });
        return true;
      };
      await until(isReleased, { what: 'a name without records', programs: [traefik, dns.program] });
      await expectVerified();
    });

    test('a route of another namespace can take requests of a hostname, and verify tells it', async () => {
      const { kube } = cluster.plane;
      await kube.apply(namespaceNamed('thief'));
      await kube.apply(backend('thief', 'web', httpPort));
      await addPods(kube, [backend('thief', 'web', httpPort)]);
      await kube.apply(strangersRoute);
      await expectRouted('shop.example.com', 'thief-web', '/login');
      await expectRouted('shop.example.com', 'shop-api');
      expect(await verify()).toMatch(
        /^1 .*HTTPRoute thief\/stranger has the same hostname, so it gets the requests that/s,
      );
      await removed(kube, strangersRoute);
      await expectRouted('shop.example.com', 'shop-api', '/login');
      await expectVerified();
    });

    test('all hostnames are routed by Ingresses, once the pool file says so', async () => {
      // Another Service than before: a route that is gone would still lead to that one.
      const apps = hostnameText('*.apps.example.com', { port: httpPort });
      const edit = { 'leases/pools.yaml': poolsWith(byIngress), 'leases/shop/apps.yaml': apps };
      await changed(edit, '2026-11-25');
      await expectRouted('a.apps.example.com', 'shop-web');
      await expectRouted('shop.example.com', 'shop-api');
      await expectRouted('blog.example.com', `${leaseNamespace()}-web`);
      await expectVerified();
    });
  });
});

function namespaceNamed(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A route that somebody made without leasehold. */
const strangersRoute: KubeObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { namespace: 'thief', name: 'stranger' },
  spec: {
    parentRefs: [gateway],
    hostnames: ['shop.example.com'],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/login' } }],
        backendRefs: [{ name: 'web', port: httpPort }],
      },
    ],
  },
};
