import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { applyOnly, removed, removeWhole } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import {
  type Edit,
  emptyRepository,
  type LeaseRepository,
} from '../support/cluster/lease-repository.ts';
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
} from '../support/cluster/machines/traefik.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import {
  backend,
  brokenPolicy,
  byGateway,
  byIngress,
  poolsWith,
  publicGateway,
  routedNames,
  strangersRoute,
  thief,
  traefikPort,
} from '../support/cluster/routed-names.ts';
import { healedInNames } from '../support/cluster/sabotages/hostname-remedies.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { addPods } from '../support/cluster/wire/pods.ts';
import { httpPort } from '../support/cluster/wire/wire.ts';
import { isLacking, wireIsMissing } from '../support/cluster/wire/wire-requirements.ts';
import { startWiredCluster, type WiredCluster } from '../support/cluster/wire/wired-cluster.ts';
import { hostnameText, leaseHostText } from '../support/declarations/hostname-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { scope } from '../support/run/scope.ts';

const isSkipped =
  inject('clusterIsMissing') !== '' || isLacking('names on the wire', wireIsMissing());

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

/** Four of the tests that heal are left to a full run: each heal takes about ten seconds. */
const inFull = test.skipIf(scope !== 'full');

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
      await startRouting();
      const folder = mkdtempSync(join(cluster.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
      await changed(routedNames, '2026-11-20');
    });
    afterAll(async () => {
      await cluster?.close();
      await keeper?.close();
    });

    async function startRouting(): Promise<void> {
      const [{ namespace: keeper }] = cluster.wire.nodes;
      const { kubeconfig } = cluster.plane;
      traefik = await startTraefik({ keeper, kubeconfig, port: traefikPort });
    }

    /** Changes declarations, and applies what is planned then. */
    async function declaredAnew(edit: Edit, day: string): Promise<void> {
      await repository.change(edit, day);
      await applyPlanned();
    }

    const applyPlanned = () => applyOnly(cluster.plane.kube, plannedIn(repository.root));

    /** Changes declarations, applies what is planned then, and what people apply beside it. */
    async function changed(edit: Edit, day: string): Promise<void> {
      await declaredAnew(edit, day);
      const { kube } = cluster.plane;
      const planned = plannedIn(repository.root);
      await kube.apply(publicGateway);
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

    /** Those that verify has printed, and that were done. */
    const done = new Set<keyof typeof healedInNames>();

    /** Verify comes to print what to do; that is done, and then nothing is wrong any more. */
    async function heals(
      remedy: keyof typeof healedInNames,
      follow: () => Promise<unknown>,
    ): Promise<void> {
      const isPrinted = async (): Promise<true> => {
        const said = await verify();
        expect(said).toMatch(/^1 /);
        const fixes = said.split('\n').map((line) => line.replace(/^ +fix: /, ''));
        expect(fixes).toContainEqual(expect.stringMatching(healedInNames[remedy]));
        return true;
      };
      await until(isPrinted, { what: `the remedy ${remedy}` });
      await follow();
      await expectVerified();
      done.add(remedy);
    }

    /** Gives the Gateway listeners that differ so from the one it has. */
    const listening = (...listeners: readonly object[]) =>
      cluster.plane.kube.merge(publicGateway, {
        spec: {
          listeners: listeners.map((one) => ({ ...publicGateway.spec.listeners[0], ...one })),
        },
      });

    /** Deletes the definition of a kind, and gives how to define it again. */
    async function undefine(kind: string): Promise<() => Promise<unknown>> {
      const { kube } = cluster.plane;
      const all = [...gatewayDefinitions(), ...dnsDefinitions()];
      const definition = all.find(({ spec }) => spec.names.kind === kind);
      if (!definition) throw new Error(`${kind} is not defined`);
      await removeWhole(kube, definition);
      return () => kube.apply(definition);
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

    test('verify tells a hostname whose Service is not there, and what heals it', async () => {
      const nowhere = hostnameText('new.example.com', { port: httpPort, service: 'nowhere' });
      await changed({ 'leases/shop/new.yaml': nowhere }, '2026-11-22');
      const isTold = async (): Promise<true> => {
        expect(await verify()).toMatch(/^1 .*new\.example\.com.*ResolvedRefs is False/s);
        expect(await resolved('new.example.com')).toHaveLength(2);
        return true;
      };
      await until(isTold, { what: 'a route without a Service', programs: [traefik] });
      const { kube } = cluster.plane;
      const missing = backend('shop', 'nowhere', httpPort);
      await heals('backend', async () => {
        await kube.apply(missing);
        await addPods(kube, [missing]);
      });
      await removed(kube, missing);
      const there = hostnameText('new.example.com', { port: httpPort });
      const correct = () => declaredAnew({ 'leases/shop/new.yaml': there }, '2026-11-22');
      await heals('backend', correct);
      const otherPort = hostnameText('new.example.com', { port: httpPort + 1 });
      await declaredAnew({ 'leases/shop/new.yaml': otherPort }, '2026-11-22');
      await heals('backend', correct);
      await expectRouted('new.example.com', 'shop-web');
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

    inFull('a Gateway whose listeners take no route is healed as verify says', async () => {
      await listening({ allowedRoutes: { namespaces: { from: 'Same' } } });
      await heals('namespaces', () => listening({}));
      const tcp = { name: 'tcp', protocol: 'TCP', allowedRoutes: null };
      await listening(tcp);
      await heals('namespaces', () => listening(tcp, {}));
      await listening({ port: 8080 });
      await heals('namespaces', () => listening({}));
      const elsewhere = { hostname: '*.example.org' };
      await listening(elsewhere);
      await heals('hostname', () =>
        listening(elsewhere, { name: 'more', hostname: '*.example.com' }),
      );
      await listening(elsewhere);
      await heals('hostname', () => listening({}));
      const certificateRefs = [{ group: '', kind: 'Secret', name: 'nowhere' }];
      const https = { name: 'https', protocol: 'HTTPS', tls: { certificateRefs } };
      await listening(https);
      await heals('listener', () => listening(https, {}));
      await expectRouted('shop.example.com', 'shop-api');
    });

    test('a Gateway that does not exist is healed as verify says, whatever its routes tell', async () => {
      const { kube } = cluster.plane;
      await removed(kube, publicGateway);
      await heals('gateway', () => kube.apply(publicGateway));
      const mistyped = byGateway.replace('name: public', 'name: publik');
      await declaredAnew({ 'leases/pools.yaml': poolsWith(mistyped) }, '2026-11-23');
      const edit = { 'leases/pools.yaml': poolsWith(byGateway) };
      await heals('gateway', () => declaredAnew(edit, '2026-11-23'));
      await expectRouted('shop.example.com', 'shop-api');
    });

    inFull('a route that is not resolved, or not judged, is healed as verify says', async () => {
      const { kube } = cluster.plane;
      const api = backend('shop', 'api', httpPort);
      const speaking = (appProtocol?: string) =>
        kube.merge(api, { spec: { ports: [{ ...api.spec.ports[0], appProtocol }] } });
      for (const supported of ['kubernetes.io/h2c', undefined]) {
        await speaking('example.com/unknown');
        await heals('protocol', () => speaking(supported));
      }
      const [route] = plannedIn(repository.root).objects.filter(({ kind }) => kind === 'HTTPRoute');
      if (!route) throw new Error('no route is planned');
      const referring = (to: object) =>
        kube.merge(route, {
          spec: { rules: [{ backendRefs: [{ ...route.spec.rules[0].backendRefs[0], ...to }] }] },
        });
      await referring({ namespace: 'gateways' });
      await heals('references', applyPlanned);
      await referring({ group: 'example.com', kind: 'Bucket' });
      await heals('kinds', applyPlanned);
      await kube.apply(brokenPolicy);
      await heals('references', () => removed(kube, brokenPolicy));
      await traefik.stop();
      const more = hostnameText('more.example.com', { port: httpPort });
      await declaredAnew({ 'leases/shop/more.yaml': more }, '2026-11-23');
      await heals('silent', startRouting);
      await expectRouted('more.example.com', 'shop-web');
    });

    test('a route of another namespace can take requests of a hostname, and verify tells it', async () => {
      const { kube } = cluster.plane;
      await kube.apply(thief);
      await kube.apply(backend('thief', 'web', httpPort));
      await addPods(kube, [backend('thief', 'web', httpPort)]);
      await kube.apply(strangersRoute);
      await expectRouted('shop.example.com', 'thief-web', '/login');
      await expectRouted('shop.example.com', 'shop-api');
      expect(await verify()).toMatch(
        /^1 .*HTTPRoute thief\/stranger has the same hostname, so it gets the requests that/s,
      );
      await heals('rival', () => removed(kube, strangersRoute));
      await expectRouted('shop.example.com', 'shop-api', '/login');
    });

    inFull(
      'a route of another namespace that keeps to its own hostnames takes no other',
      async () => {
        const { kube } = cluster.plane;
        const naming = (hostnames: readonly string[] | null) =>
          kube.merge(strangersRoute, { spec: { hostnames } });
        await kube.apply(strangersRoute);
        await heals('rival', () => naming(['thief.example.org']));
        await listening({}, { name: 'shop', hostname: 'shop.example.com' });
        await naming(null);
        await heals('taken', () => naming(['thief.example.org']));
        await naming(null);
        await heals('taken', () => removed(kube, strangersRoute));
        await listening({});
      },
    );

    inFull(
      'HTTP options without the controller that applies them are healed as verify says',
      async () => {
        const lease = repository.read('leases/tenant/2.yaml');
        const accept = 'accept: [blog.example.com]';
        const nginx = 'kind: HTTPRoute, controller: gateway.nginx.org/nginx-gateway-controller';
        const edit = {
          'leases/pools.yaml': poolsWith(byGateway.replace('kind: HTTPRoute', nginx)),
          'leases/tenant/2.yaml': lease.replace(
            accept,
            `${accept}, httpOptions: { maxBodySize: 10485760 }`,
          ),
        };
        await repository.change(edit, '2026-11-24');
        await heals('options', () => declaredAnew({ 'leases/tenant/2.yaml': lease }, '2026-11-24'));
      },
    );

    test('a cluster without the Gateway API, or without DNSEndpoints, is healed as verify says', async () => {
      for (const [kind, remedy] of [
        ['HTTPRoute', 'routes'],
        ['DNSEndpoint', 'records'],
      ] as const) {
        const define = await undefine(kind);
        await heals(remedy, async () => {
          await define();
          await applyPlanned();
        });
      }
    });

    test('all hostnames are routed by Ingresses, once the pool file says so', async () => {
      const define = await undefine('HTTPRoute');
      const pools = { 'leases/pools.yaml': poolsWith(byIngress) };
      await heals('routes', () => declaredAnew(pools, '2026-11-25'));
      // Another Service than before: a route that is gone would still lead to that one.
      const apps = hostnameText('*.apps.example.com', { port: httpPort });
      await define();
      await changed({ 'leases/shop/apps.yaml': apps }, '2026-11-25');
      await expectRouted('a.apps.example.com', 'shop-web');
      await expectRouted('shop.example.com', 'shop-api');
      await expectRouted('blog.example.com', `${leaseNamespace()}-web`);
      await expectVerified();
    });

    test('each remedy of verify for hostnames was followed, and healed', async () => {
      await undefine('DNSEndpoint');
      const pools = poolsWith(byIngress).replace('dnsEndpoints: true', 'dnsEndpoints: false');
      await heals('records', () => declaredAnew({ 'leases/pools.yaml': pools }, '2026-11-26'));
      if (scope === 'full') expect([...done].sort()).toEqual(Object.keys(healedInNames).sort());
    });
  });
});
