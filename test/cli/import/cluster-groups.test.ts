import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import {
  exportedList,
  exportedPool,
  exportedService,
} from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  heldIn,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const imported = (root: string) => importedBy('cluster', root);

const vip = { addresses: ['192.0.2.74'], annotations: { 'metallb.io/allow-shared-ip': 'vip' } };

/** One virtual address, one sharing key, Services in three namespaces. */
const sharers = [
  exportedService({ ...vip, name: 'web', namespace: 'shop' }),
  exportedService({ ...vip, name: 'dns', namespace: 'dns', spec: { ports: [{ port: 53 }] } }),
  exportedService({ ...vip, name: 'smtp', namespace: 'mail', spec: { ports: [{ port: 25 }] } }),
];

function poolFile(anycast: string): string {
  return poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
pools:
  - { name: public, zone: default, fence: open, addresses: [192.0.2.64/26, 2001:db8::/120] }
anycast:
${anycast}`);
}

describe('Services of several namespaces on one live address', () => {
  it('are declared as members of a group that the import writes', { tags: 'slow' }, async () => {
    const root = beside([...sharers, ...exportedPool]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Reservation dns/dns added 192.0.2.74',
      'Reservation mail/smtp added 192.0.2.74',
      'Reservation shop/web added 192.0.2.74',
    ]);
    expect(notesOf(answer)[0]).toBe(
      'changed Service shop/web: it is a Reservation, since it shares its address with dns/dns, mail/smtp by the sharing key vip: a declared Service gets another key, and would lose the address',
    );
    expect(answer.notes.map(({ subject, message }) => `${subject}: ${message}`)).toContain(
      'the group vip: it is written, with dns/dns, mail/smtp, shop/web: Services that share 192.0.2.74 over namespaces',
    );
    expect(content(root)['leases/pools.yaml']).toContain(
      'anycast: [{ name: vip, members: [{ cluster: default, namespace: dns, service: dns }, { cluster: default, namespace: mail, service: smtp }, { cluster: default, namespace: shop, service: web }] }]\n',
    );
    await expectSettled(root, ['192.0.2.74 anycast/vip']);
  });

  it.each([
    ['all of them', ['dns/dns', 'mail/smtp', 'shop/web']],
    ['one of them', ['mail/smtp']],
  ])('are declared as members of the group that has %s', { tags: 'slow' }, async (_, names) => {
    const members = names.map((one) => {
      const [namespace, service] = one.split('/');
      return `      - { cluster: default, namespace: ${namespace}, service: ${service} }\n`;
    });
    const group = `  - name: front\n    members:\n${members.join('')}`;
    const root = beside([...sharers, ...exportedPool], { 'leases/pools.yaml': poolFile(group) });
    const answer = await imported(root);
    expect(told(answer)).toHaveLength(3);
    expect(content(root)['leases/pools.yaml']).toContain(group);
    const added = answer.notes.filter(({ subject }) => subject === 'the group front');
    expect(added).toHaveLength(names.length === 3 ? 0 : 1);
    await expectSettled(root, ['192.0.2.74 anycast/front']);
  });

  it('are written where they have leasehold’s own key, which the first member of the group says', {
    tags: 'slow',
  }, async () => {
    const annotations = { 'metallb.io/allow-shared-ip': 'leasehold-shop' };
    const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
    const one = { addresses: ['192.0.2.74'], annotations, labels };
    const root = beside([
      exportedService({ ...one, name: 'web', namespace: 'shop' }),
      exportedService({ ...one, name: 'dns', namespace: 'dns', spec: { ports: [{ port: 53 }] } }),
      ...exportedPool,
    ]);
    expect(told(await imported(root))).toEqual([
      'Service dns/dns added 192.0.2.74',
      'Service shop/web added 192.0.2.74',
    ]);
    expect(content(root)['leases/pools.yaml']).toContain(
      'members: [{ cluster: default, namespace: shop,',
    );
    await expectSettled(root, ['192.0.2.74 anycast/leasehold-shop']);
  });

  it('are not a group with a Service that cannot be declared', async () => {
    const system = exportedService({
      ...vip,
      name: 'dns',
      namespace: 'kube-system',
      spec: { ports: [{ port: 53 }] },
    });
    const root = beside([...sharers.slice(0, 1), system, ...exportedPool]);
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Reservation shop/web added 192.0.2.74']);
    expect(notesOf(answer)).toContainEqual(
      expect.stringMatching(/^left Service kube-system\/dns: it is not declared: it is in/),
    );
    await expectSettled(root, ['192.0.2.74 default/shared/shop/vip']);
  });

  it('stay as they are where they are members of two groups', { tags: 'slow' }, async () => {
    const groups = `  - { name: a, members: [{ cluster: default, namespace: dns, service: dns }] }
  - { name: b, members: [{ cluster: default, namespace: shop, service: web }] }
`;
    const root = beside([...sharers, ...exportedPool], { 'leases/pools.yaml': poolFile(groups) });
    const answer = await imported(root);
    expect(told(answer)).toEqual([]);
    expect(notesOf(answer)[0]).toContain('is of members of the groups a and b');
    await expectSettled(root, []);
  });

  it('are left where their group has the address in another cluster too, and the pool is announced by L2', {
    tags: 'slow',
  }, async () => {
    const of = (cluster: string) => `{ cluster: ${cluster}, namespace: web, service: app }`;
    const group = `  - { name: front, members: [${of('east')}, ${of('west')}] }\n`;
    const clusters = 'clusters: [{ name: east }, { name: west }]\ndefaultCluster: east\npools:';
    const pools = poolFile(group).replace('pools:', clusters);
    const app = exportedService({ name: 'app', addresses: ['192.0.2.65'] });
    const dns = exportedService({ name: 'dns', addresses: ['192.0.2.66'] });
    const root = beside([app, ...exportedPool], { 'leases/pools.yaml': pools });
    await importedBy('cluster', root, '--cluster', 'east');
    putFile(root, 'live.yaml', exportedList(app, dns, ...exportedPool));
    const answer = await importedBy('cluster', root, '--cluster', 'west');
    expect(told(answer)).toEqual(['Service web/dns added 192.0.2.66']);
    expect(notesOf(answer)).toEqual([
      'left Service web/app: it is not declared: pool public is announced by L2, and an address of it cannot be in clusters east, west, where its group front is: announce the pool by BGP in all clusters of the group, or take a member out of it and give that one another address',
    ]);
    expect(await heldIn(root)).toEqual([
      '192.0.2.65 anycast/front',
      '192.0.2.66 west/service/web/dns',
    ]);

    putFile(
      root,
      'leases/pools.yaml',
      pools.replace('fence: open', 'advertise: { bgp: {} }, fence: open'),
    );
    expect(told(await importedBy('cluster', root, '--cluster', 'west'))).toEqual([
      'Service web/app added 192.0.2.65',
      'Service web/dns present 192.0.2.66',
    ]);
  });

  it('join no group that has another address', { tags: 'slow' }, async () => {
    const group = `  - { name: front, members: [{ cluster: default, namespace: shop, service: web }, { cluster: default, namespace: dns, service: dns }] }
`;
    const first = exportedService({ name: 'web', namespace: 'shop', addresses: ['192.0.2.70'] });
    const root = beside([first, ...exportedPool], { 'leases/pools.yaml': poolFile(group) });
    expect(told(await imported(root))).toEqual(['Service shop/web added 192.0.2.70']);
    putFile(root, 'live.yaml', exportedList(first, ...sharers.slice(1), ...exportedPool));
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Service shop/web present 192.0.2.70']);
    expect(notesOf(answer)[0]).toContain('its group front has 192.0.2.70');
    await expectSettled(root, ['192.0.2.70 anycast/front']);
  });
});
