import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Day } from '../../../src/core/model/day.ts';
import { domainProofPath, printDomainProof } from '../../../src/core/records/domain-proof-file.ts';
import {
  exportedLease,
  exportedPool,
  exportedService,
  tenant,
} from '../../support/imports/exported-cluster.ts';
import {
  exportedHost,
  exportedHostRoute,
  exportedIngress,
  exportedRoute,
  gatewayRoutes,
  pathTo,
  ruleTo,
} from '../../support/imports/exported-routes.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
} from '../../support/imports/imported-cluster.ts';
import {
  acceptedBy,
  imported,
  named,
  objectNotes,
  poolFile,
} from '../../support/imports/imported-hostnames.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

describe('hostnames in an import of a cluster', () => {
  it('declares the hostnames of HTTPRoutes for their Services, and writes the routes of the cluster', async () => {
    const root = beside([
      exportedRoute({ name: 'web-route', hostnames: ['shop.example.com', '*.shop.example.com'] }),
      exportedRoute({ name: 'blog', namespace: 'blog', hostnames: ['example.org'], port: 80 }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual([
      'Hostname blog/web added example.org',
      'Hostname shop/web added *.shop.example.com',
      'Hostname shop/web added shop.example.com',
    ]);
    expect(objectNotes(answer)).toEqual([
      'changed the routes: leasehold writes routes of its own beside the live ones: once they are live, delete HTTPRoute shop/web-route, HTTPRoute blog/blog',
    ]);
    const files = content(root);
    expect(files['leases/pools.yaml']).toContain(
      `clusters:\n  - { name: default, routes: ${gatewayRoutes} }\n`,
    );
    expect(files['leases/shop/shop.example.com.yaml']).toBe(`apiVersion: leasehold.dev/v1
kind: Hostname
spec:
  namespace: shop
  service: web
  port: 8080
  hostname: shop.example.com
`);
    expect(files['leases/shop/wildcard.shop.example.com.yaml']).toContain("'*.shop.example.com'");
    await expectSettled(root, []);
  });

  it('prints hostnames in the table, in a column of their own', async () => {
    const root = beside([
      exportedRoute({ name: 'web', hostnames: ['shop.example.com'] }),
      ...exportedPool,
    ]);
    const { out } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    const shown = out.split('\n').filter((line) => /^(?:KIND|Hostname) /.test(line));
    expect(shown.map((line) => line.split(/ {2,}/))).toEqual([
      ['KIND', 'NAME', 'STATE', 'FROM', 'ADDRESSES', 'HOSTNAMES', 'IN'],
      [
        'Hostname',
        'shop/web',
        'added',
        expect.stringMatching(/^live\.yaml:\d+$/),
        '-',
        'shop.example.com',
        'leases/shop/shop.example.com.yaml',
      ],
    ]);
  });

  it('declares the hostnames of Ingresses, with the numbers of named ports', async () => {
    const named80 = { ingressClassName: 'nginx', rules: [rule('a.example.com', { name: 'http' })] };
    const root = beside([
      exportedIngress({ name: 'a.example.com', hostnames: [], spec: named80 }),
      exportedIngress({ name: 'other', hostnames: [], spec: unknownPort }),
      clusterIP('web', [{ name: 'http', port: 8443 }]),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web added a.example.com']);
    expect(objectNotes(answer)).toEqual([
      'left Ingress shop/other: b.example.com is not declared: the number of the port admin of Service web is not in the source',
    ]);
    expect(content(root)['leases/pools.yaml']).toContain(
      'routes: { kind: Ingress, className: nginx }',
    );
    expect(content(root)['leases/shop/a.example.com.yaml']).toContain('port: 8443\n');
    await expectSettled(root, []);
  });

  it('tells the webhook of ingress-nginx, which refuses the second Ingress of a hostname', async () => {
    const root = beside([
      exportedIngress({ name: 'web', hostnames: ['a.example.com'] }),
      ...exportedPool,
    ]);
    expect(objectNotes(await imported(root))).toEqual([
      expect.stringContaining('The webhook of ingress-nginx refuses a second Ingress'),
    ]);
  });

  it('leaves all hostnames with --without-hostnames', async () => {
    const root = beside([
      ...exportedLease({ address: '192.0.2.70' }),
      ...exportedHostRoute({ hostname: 'a.example.net' }),
      exportedRoute({ name: 'web', hostnames: ['shop.example.com'] }),
      ...exportedPool,
    ]);
    const answer = await importedBy('cluster', root, '--without-hostnames');
    expect(named(answer)).toEqual([`Lease ${tenant}/18500001/1/1 added `]);
    expect(notesOf(answer)).toEqual([]);
    expect(content(root)['leases/pools.yaml']).not.toContain('routes');
  });

  it.each([
    ['it has filters', { spec: { rules: [{ ...ruleTo(), filters: [{}] }] } }],
    ['it is of the Gateway gateways/other', withParents({ namespace: 'gateways', name: 'other' })],
    ['the DNS name bad.example.com is in the blocked domain', { hostnames: ['bad.example.com'] }],
    ['it has fewer than two labels', { hostnames: ['single'] }],
    ['which belongs to Kubernetes', { namespace: 'kube-system' }],
  ])('leaves one odd HTTPRoute, and takes the others: %s', async (reason, odd) => {
    const root = beside(
      [
        exportedRoute({ name: 'odd', hostnames: ['odd.example.com'], ...odd }),
        exportedRoute({ name: 'good.example.com', hostnames: ['good.example.com'] }),
      ],
      { 'leases/pools.yaml': `${poolFile(gatewayRoutes)}dns: { blocked: [bad.example.com] }\n` },
    );
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web added good.example.com']);
    expect(objectNotes(answer)).toEqual([expect.stringMatching(/^left HTTPRoute [\w-]+\/odd: /)]);
    expect(objectNotes(answer)[0]).toContain(reason);
    await expectSettled(root, []);
  });

  it.each([
    ['it has TLS', { spec: { tls: [{ hosts: ['odd.example.com'] }] } }],
    ['it is of the IngressClass other', { spec: { ingressClassName: 'other' } }],
  ])('leaves one odd Ingress, and takes the others: %s', async (reason, odd) => {
    const root = beside(
      [
        exportedIngress({ name: 'odd', hostnames: ['odd.example.com'], ...odd }),
        exportedIngress({ name: 'good.example.com', hostnames: ['good.example.com'] }),
      ],
      { 'leases/pools.yaml': poolFile('{ kind: Ingress, className: nginx }') },
    );
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web added good.example.com']);
    expect(objectNotes(answer)[0]).toMatch(/^left Ingress shop\/odd: /);
    expect(objectNotes(answer)[0]).toContain(reason);
    await expectSettled(root, []);
  });

  it('tells the parts of a route that are lost', async () => {
    const root = beside([
      exportedRoute({
        name: 'shop.example.com',
        hostnames: ['shop.example.com'],
        metadata: { annotations: { 'example.com/owner': 'shop' } },
        spec: {
          parentRefs: [{ namespace: 'gateways', name: 'public', sectionName: 'https' }],
          rules: [{ ...ruleTo(), timeouts: { request: '10s' } }],
        },
      }),
      ...exportedPool,
    ]);
    expect(objectNotes(await imported(root))).toEqual([
      'changed HTTPRoute shop/shop.example.com: its timeouts are not imported',
      'changed HTTPRoute shop/shop.example.com: it is attached to the listener https, and the HTTPRoute of leasehold to every listener of the Gateway',
      'changed HTTPRoute shop/shop.example.com: its annotations are not imported: example.com/owner',
    ]);
  });

  it('declares no hostname that routes of two namespaces have, also when one is odd', async () => {
    const root = beside([
      exportedRoute({ name: 'one', hostnames: ['a.example.com', 'b.example.com'] }),
      exportedRoute({ name: 'two', namespace: 'blog', hostnames: ['a.example.com'] }),
      exportedRoute({
        name: 'odd',
        namespace: 'blog',
        hostnames: ['b.example.com'],
        spec: { rules: [] },
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual([]);
    expect(objectNotes(answer)).toEqual([
      'left HTTPRoute shop/one: a.example.com is not declared: HTTPRoute blog/two has it too',
      'left HTTPRoute shop/one: b.example.com is not declared: HTTPRoute blog/odd has it too',
      'left HTTPRoute blog/two: a.example.com is not declared: HTTPRoute shop/one has it too',
      'left HTTPRoute blog/odd: b.example.com is not declared: it has no rules',
    ]);
  });

  it('lets a refused or deleted route, and one of the owner of the Gateway, not contest a hostname', async () => {
    const hostnames = ['a.example.com'];
    const other = { namespace: 'blog', hostnames };
    const deletionTimestamp = '2026-11-01T00:00:00Z';
    const root = beside([
      exportedRoute({ name: 'a.example.com', hostnames }),
      { ...exportedRoute({ name: 'refused', ...other }), status: acceptedBy('any', 'False') },
      exportedRoute({ name: 'deleted', ...other, metadata: { deletionTimestamp } }),
      exportedRoute({ name: 'redirect', namespace: 'gateways', hostnames, spec: { rules: [{}] } }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web added a.example.com']);
    expect(objectNotes(answer)).toEqual([
      'left HTTPRoute blog/refused: it is not declared: its Gateway has not accepted it',
      'left HTTPRoute blog/deleted: it is not declared: it is being deleted',
      'left HTTPRoute gateways/redirect: a.example.com is not declared: it has no backend',
    ]);
  });

  it('declares one of two routes of a namespace to the same port, and none of two to others', async () => {
    const root = beside([
      exportedRoute({ name: 'a', hostnames: ['a.example.com'] }),
      exportedRoute({ name: 'a2', hostnames: ['a.example.com'] }),
      exportedRoute({ name: 'b', hostnames: ['b.example.com'] }),
      exportedRoute({ name: 'b2', hostnames: ['b.example.com'], port: 9090 }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web added a.example.com']);
    expect(objectNotes(answer).filter((note) => note.startsWith('left'))).toEqual([
      'left HTTPRoute shop/a2: a.example.com is not declared: it is declared for HTTPRoute shop/a, which routes it to the same port',
      'left HTTPRoute shop/b: b.example.com is not declared: HTTPRoute shop/b2 routes it to another port',
      'left HTTPRoute shop/b2: b.example.com is not declared: HTTPRoute shop/b routes it to another port',
    ]);
  });

  it('declares names rather than the wildcard of another namespace above them, and says what to keep of its route', async () => {
    const root = beside([
      exportedRoute({ name: 'site', hostnames: ['*.example.com', 'example.com'] }),
      exportedRoute({
        name: 'a.example.com',
        namespace: 'blog',
        hostnames: ['a.example.com'],
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual([
      'Hostname blog/web added a.example.com',
      'Hostname shop/web added example.com',
    ]);
    expect(objectNotes(answer)).toEqual([
      expect.stringMatching(/once they are live, remove example\.com from HTTPRoute shop\/site$/),
      'left HTTPRoute shop/site: *.example.com is not declared: a.example.com, which overlaps it, is a hostname of namespace blog',
    ]);
    await expectSettled(root, []);
  });

  it('leaves hostnames that need a proof and have none, and takes those that have one', async () => {
    const proof = { domain: 'example.com', holder: 'default/namespace/shop', at: undefined };
    const file = printDomainProof({ ...proof, checked: '2026-11-01' as Day });
    const root = beside(
      [
        exportedRoute({ name: 'a.example.com', hostnames: ['a.example.com'] }),
        exportedRoute({ name: 'b.example.org', hostnames: ['b.example.org'] }),
        ...exportedHostRoute({ hostname: 'c.example.net' }),
      ],
      {
        'leases/pools.yaml': `${poolFile(gatewayRoutes)}hostnames: { proof: required }\n`,
        [domainProofPath(proof)]: file,
      },
    );
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web added a.example.com']);
    expect(objectNotes(answer)).toEqual([
      expect.stringMatching(/^left HTTPRoute .*shop has not proven the domain of b\.example\.org/),
      expect.stringMatching(/^left ProviderHost .*has not proven the domain of c\.example\.net/),
    ]);
    await expectSettled(root, []);
  });

  it('leaves hostnames that others hold, or that are kept, and keeps what is declared', async () => {
    const root = beside(
      [
        exportedRoute({ name: 'a', namespace: 'blog', hostnames: ['a.example.com'] }),
        exportedRoute({ name: 'b', namespace: 'blog', hostnames: ['b.example.com'] }),
        exportedRoute({ name: 'c', hostnames: ['c.example.com'], port: 9090 }),
        ...exportedHostRoute({ hostname: 'c.example.com' }),
        exportedRoute({ name: 'd', hostnames: ['d.example.com'] }),
      ],
      {
        'leases/pools.yaml': poolFile(gatewayRoutes),
        ...Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((name) => [`leases/shop/${name}.yaml`, hostnameFile(name)]),
        ),
      },
    );
    await runInProcess(['synth'], root);
    rmSync(join(root, 'leases/shop/b.yaml'));
    await runInProcess(['synth'], root);
    const answer = await imported(root);
    expect(named(answer)).toEqual(['Hostname shop/web present d.example.com']);
    expect(objectNotes(answer)).toEqual([
      expect.stringMatching(/left HTTPRoute blog\/a: a.* is recorded for namespace shop/),
      expect.stringMatching(/left HTTPRoute blog\/b: b.* is kept for namespace shop until/),
      expect.stringMatching(/left HTTPRoute shop\/c: .*HTTPRoute .*\/c.example.com has it too/),
      expect.stringMatching(/left ProviderHost c.* is recorded for namespace shop/),
    ]);
    await expectSettled(root, []);
  });

  it('says what to write when routes differ, and declares the hostnames once it is written', async () => {
    const root = beside([
      exportedRoute({ name: 'a.example.com', hostnames: ['a.example.com'] }),
      exportedIngress({ name: 'b.example.com', hostnames: ['b.example.com'] }),
      ...exportedHostRoute({ hostname: 'c.example.net' }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual([]);
    const [note] = answer.notes.filter(({ subject }) => subject === 'the routes');
    expect(note?.message).toBe(
      `cluster default has none, and the hostnames of the source use the Gateway gateways/public and the IngressClass nginx: write clusters: [{ name: default, routes: ${gatewayRoutes} }] or clusters: [{ name: default, routes: { kind: Ingress, className: nginx } }] in leases/pools.yaml, and import again`,
    );
    const pools = content(root)['leases/pools.yaml'] ?? '';
    const clusters = `clusters: [{ name: default, routes: ${gatewayRoutes} }]\npools:`;
    putFile(root, 'leases/pools.yaml', pools.replace('pools:', clusters));
    expect(named(await imported(root))).toEqual([
      'Hostname shop/web added a.example.com',
      `Lease ${tenant}/18500001/1/1 added c.example.net`,
    ]);
    await expectSettled(root, []);
  });

  it('keeps the routes of an existing pool file, and says when none of the source is theirs', async () => {
    const root = beside(
      [
        exportedRoute({ name: 'a', hostnames: ['a.example.com'] }),
        exportedHost({ hostname: 'b.example.net' }),
      ],
      { 'leases/pools.yaml': poolFile('{ kind: Ingress, className: nginx }') },
    );
    const answer = await imported(root);
    expect(named(answer)).toEqual([`Lease ${tenant}/18500001/1/1 added b.example.net`]);
    expect(answer.notes.map(({ message }) => message)).toEqual([
      `those of cluster default name the IngressClass nginx, and the hostnames of the source use the Gateway gateways/public: write clusters: [{ name: default, routes: ${gatewayRoutes} }] in leases/pools.yaml, and import again`,
      'it is not declared: it is of the Gateway gateways/public, and routes of cluster default name the IngressClass nginx',
      expect.stringContaining('it has no Ingress, so its HTTP options are not known'),
      expect.stringContaining("stop Akash's hostname operator"),
    ]);
  });

  it('tells what is wrong with the pool file, when the export has no pools', async () => {
    const root = beside([exportedRoute({ name: 'web', hostnames: ['a.example.com'] })], {
      'leases/pools.yaml': 'kind: Pool\n',
    });
    const { status, out } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect(status).toBe(1);
    expect(out).toContain("leases/pools.yaml:1:7 FIELD_VALUE 'kind' is 'Pool'");
  });
});

function rule(host: string, port: object): object {
  return { host, http: { paths: [pathTo('web', port)] } };
}

const unknownPort = {
  ingressClassName: 'nginx',
  rules: [rule('b.example.com', { name: 'admin' })],
};

function clusterIP(name: string, ports: readonly object[]): object {
  const service = exportedService({ name, namespace: 'shop', addresses: [] });
  return { ...service, spec: { type: 'ClusterIP', ports }, status: { loadBalancer: {} } };
}

function hostnameFile(name: string): string {
  const spec = `{ namespace: shop, service: web, port: 8080, hostname: ${name}.example.com }`;
  return `apiVersion: leasehold.dev/v1\nkind: Hostname\nspec: ${spec}\n`;
}

function withParents(parent: object): object {
  return { spec: { parentRefs: [parent] } };
}
