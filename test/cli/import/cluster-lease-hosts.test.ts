import { describe, expect, it } from 'vitest';
import {
  exportedLease,
  exportedList,
  exportedPool,
  provider,
  tenant,
} from '../../support/imports/exported-cluster.ts';
import {
  exportedHost,
  exportedHostIngress,
  exportedHostRoute,
  gatewayRoutes,
} from '../../support/imports/exported-routes.ts';
import { beside, expectSettled, notesOf } from '../../support/imports/imported-cluster.ts';
import {
  acceptedBy,
  imported,
  named,
  objectNotes,
  poolFile,
} from '../../support/imports/imported-hostnames.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

describe('hostnames of leases in an import of a cluster', () => {
  it('declares hostnames of leases beside their addresses, or alone', async () => {
    const root = beside([
      ...exportedLease({ address: '192.0.2.70' }),
      ...exportedHostRoute({ hostname: 'b.example.net' }),
      ...exportedHostRoute({ hostname: 'a.example.net' }),
      ...exportedHostRoute({ hostname: 'c.example.net', dseq: 18500002, service: 'api' }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual([
      `Lease ${tenant}/18500001/1/1 added a.example.net,b.example.net`,
      `Lease ${tenant}/18500002/1/1 added c.example.net`,
    ]);
    expect(objectNotes(answer)).toEqual([]);
    expect(content(root)[`leases/${tenant}/18500001-1-1.yaml`]).toContain(`      address: 192.0.2.70
  hosts:
    - service: web
      accept:
        - a.example.net
        - b.example.net
`);
    await expectSettled(root, [`192.0.2.70 default/akash/${tenant}-ip-site`]);
  });

  it('says to stop the operator of Akash once, for new hostnames of leases', async () => {
    const root = beside([
      ...exportedHostRoute({ hostname: 'a.example.net' }),
      ...exportedHostRoute({ hostname: 'b.example.net' }),
      ...exportedPool,
    ]);
    expect(notesOf(await imported(root))).toEqual([
      expect.stringContaining("stop Akash's hostname operator before you apply them"),
    ]);
    expect(notesOf(await imported(root))).toEqual([]);
  });

  it('takes the HTTP options of the Ingresses of leases, and their controller', async () => {
    const prefix = 'nginx.ingress.kubernetes.io';
    const annotations = {
      [`${prefix}/proxy-body-size`]: '10485760',
      [`${prefix}/proxy-read-timeout`]: '60',
      [`${prefix}/proxy-send-timeout`]: '30',
      [`${prefix}/proxy-next-upstream-tries`]: '3',
      [`${prefix}/proxy-next-upstream-timeout`]: '0',
      [`${prefix}/proxy-next-upstream`]: 'timeout http_502 error',
    };
    const root = beside([
      ...exportedHostIngress({ hostname: 'a.example.net', annotations }),
      ...exportedHostIngress({ hostname: 'b.example.net' }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(objectNotes(answer)).toEqual([]);
    const files = content(root);
    expect(files['leases/pools.yaml']).toContain('controller: k8s.io/ingress-nginx');
    expect(files[`leases/${tenant}/18500001-1-1.yaml`]).toContain(`  hosts:
    - service: web
      accept:
        - a.example.net
      httpOptions:
        maxBodySize: 10485760
        sendTimeout: 30000
        nextCases:
          - timeout
          - '502'
          - error
    - service: web
      accept:
        - b.example.net
`);
    for (const [key, value] of Object.entries(annotations)) {
      expect(files['dist/default/_hostnames/a.example.net.yaml']).toMatch(
        new RegExp(`${key}: ['"]?${value}['"]?\n`),
      );
    }
    await expectSettled(root, []);
  });

  it('takes those of HTTPRoutes that NGINX Gateway Fabric can apply, and tells that they take effect', async () => {
    const annotations = {
      'nginx.org/client-max-body-size': '2097152',
      'nginx.org/proxy-read-timeout': '60',
      'nginx.org/proxy-next-upstream-timeout': '5s',
    };
    const [host, route] = exportedHostRoute({ hostname: 'a.example.net', annotations });
    const controllerName = 'gateway.nginx.org/nginx-gateway-controller';
    const root = beside([host, { ...route, status: acceptedBy(controllerName) }, ...exportedPool]);
    expect(objectNotes(await imported(root))).toEqual([
      expect.stringMatching(/^changed .*: nextTimeout 5000 is not imported: gateway\.nginx/),
      expect.stringMatching(/^changed .*: maxBodySize 2097152 takes effect once it is applied/),
    ]);
    expect(content(root)['leases/pools.yaml']).toContain(`controller: ${controllerName}`);
    await expectSettled(root, []);
  });

  it('adds hostnames to a declared lease, and leaves those that are declared otherwise', async () => {
    const lease = `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${tenant}, dseq: '18500001', gseq: 1, oseq: 1, provider: ${provider} }
  hosts:
    - { service: web, accept: [a.example.net] }
    - { service: api, accept: [b.example.net] }
`;
    const root = beside(
      ['a', 'b', 'c'].flatMap((name) => exportedHostRoute({ hostname: `${name}.example.net` })),
      { 'leases/pools.yaml': poolFile(gatewayRoutes), 'leases/lease.yaml': lease },
    );
    const answer = await imported(root);
    expect(named(answer)).toEqual([
      `Lease ${tenant}/18500001/1/1 extended a.example.net,c.example.net`,
    ]);
    expect(objectNotes(answer)).toEqual([
      'left ProviderHost b.example.net: it is not declared: leases/lease.yaml declares it for the service api',
    ]);
    expect(content(root)['leases/lease.yaml']).toBe(
      `${lease}    - { service: web, accept: [ c.example.net ] }\n`,
    );
    await expectSettled(root, []);
  });

  it.each([
    ['another port than 80', exportedHost({ hostname: 'odd.example.net', externalPort: 8080 })],
    ['no hostname', withoutHostname],
    ['a wildcard', exportedHost({ hostname: '*.example.net' })],
    ['a service that is no name', exportedHost({ hostname: 'odd.example.net', service: '0web' })],
  ])('leaves one odd ProviderHost, and takes the others: %s', async (_, odd) => {
    const root = beside([
      odd,
      ...exportedHostRoute({ hostname: 'a.example.net' }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(named(answer)).toEqual([`Lease ${tenant}/18500001/1/1 added a.example.net`]);
    expect(objectNotes(answer)).toEqual([
      expect.stringMatching(/^left ProviderHost \S+: it is not/),
    ]);
  });

  it('reads a dseq that is too large for a number from the label', async () => {
    const dseq = '9007199254740993';
    const host = exportedHost({ hostname: 'a.example.net' });
    const root = beside([]);
    putFile(root, 'live.yaml', exportedList(host).replaceAll('18500001', dseq));
    putFile(root, 'leases/pools.yaml', poolFile(gatewayRoutes));
    const answer = await imported(root);
    expect(named(answer)).toEqual([`Lease ${tenant}/${dseq}/1/1 added a.example.net`]);
  });
});

const { hostname: _, ...withoutName } = (exportedHost({ hostname: 'odd.example.net' }) as Host)
  .spec;
const withoutHostname = { ...exportedHost({ hostname: 'odd.example.net' }), spec: withoutName };

interface Host {
  readonly spec: { readonly hostname: string };
}
