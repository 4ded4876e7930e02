import { expect, test } from 'vitest';
import { removeWhole } from '../support/cluster/by-hand.ts';
import { expectWritten } from '../support/cluster/convergence.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { inScope } from '../support/run/scope.ts';

/** Every pair of MetalLB, engine and layout. */
const places: readonly Place[] = [
  { metallb: '0.14.9', engine: 'Flux', layout: 'lease' },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool' },
  { metallb: '0.13.9', engine: 'Argo CD', layout: 'lease' },
  { metallb: '0.13.9', engine: 'Flux', layout: 'pool' },
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool' },
  { metallb: '0.16.1', engine: 'Argo CD', layout: 'lease' },
];
const placesInScope = inScope(places, (place) => place.metallb === '0.14.9');

const [ember, stranger] = [
  'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye',
  'akash1qnnhhgzxj24f2kld5yhy4v4h4s9r295ak5gjw4',
];

/** The pool of the example's dual-stack lease, with `layout: lease`. */
const poolOfThePair: KubeObject = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'ip-203.0.113.29', namespace: metallbNamespace },
};

function lease(owner: string, dseq: string, ...endpoints: readonly string[]): string {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${owner}, dseq: '${dseq}', gseq: 1, oseq: 1 }
  endpoints:
${endpoints.map((endpoint) => `    - { ${endpoint} }\n`).join('')}`;
}

const [first, second] = ['leases/ember/18500001.yaml', 'leases/ember/18500002.yaml'];
const site = 'name: site, service: web, port: 3001, externalPort: 80';
const secure = 'name: site, service: web, port: 3443, externalPort: 443';
const blog = 'name: site, service: blog, port: 4000, externalPort: 8443';
const day = '2026-11-20';

describeStories('The life of an address', placesInScope, (story, place) => {
  /** The live Service that has an address and a port. */
  async function serviceAt(address: string, port: number): Promise<KubeObject> {
    const services = await story.machine.plane.kube.list('v1', 'Service');
    const found = services.find(
      ({ spec, status }) =>
        spec.ports?.[0].port === port && status.loadBalancer.ingress?.[0].ip === address,
    );
    expect(found, `a Service on ${address}:${port}`).toBeDefined();
    return { ...(found as KubeObject), apiVersion: 'v1', kind: 'Service' };
  }

  test('the shipped example is live as written, and a dry run on the server accepts all of it', async () => {
    await story.change([{}, day]);
    const { planned, machine } = story;
    await expectWritten(machine.plane.kube, planned);
    for (const object of planned.objects) {
      await machine.plane.kube.apply(object, { dryRun: true });
    }
  });

  test('a lease is added', async () => {
    const web = 'name: site, service: web, port: 3000, externalPort: 80';
    await story.change([{ [first]: lease(ember, '18500001', web) }, day]);
  });

  test('a target port changes', async () => {
    await story.change([{ [first]: lease(ember, '18500001', site) }, day]);
  });

  test('a second claim joins a holder that had one', async () => {
    await story.change([{ [first]: lease(ember, '18500001', site, secure) }, day]);
  });

  test('a claim of another lease of the same owner joins', async () => {
    await story.change([{ [second]: lease(ember, '18500002', blog) }, day]);
  });

  test('an endpoint moves to another lease of the same owner and keeps its address', async () => {
    const [address = ''] = [...story.planned.addresses]
      .filter(([key]) => key.endsWith('/blog-ip-8443-tcp'))
      .map(([, planned]) => planned);
    await story.change([
      {
        [first]: lease(ember, '18500001', site),
        [second]: lease(ember, '18500002', blog, secure),
      },
      day,
    ]);
    expect((await serviceAt(address, 443)).metadata.namespace).toBe(
      (await serviceAt(address, 8443)).metadata.namespace,
    );
  });

  test('an address is released', async () => {
    const aurora = story.repository.read('leases/aurora/18412033.yaml');
    const rest = aurora.replace(/ {4}- \{ name: mail.*\n/, '');
    expect(rest).not.toBe(aurora);
    await story.change([{ 'leases/aurora/18412033.yaml': rest }, day]);
  });

  test('the last lease of a folder ends', async () => {
    await story.change([{ 'leases/cirrus/18390771.yaml': undefined }, day]);
  });

  test('a released address goes to someone else after its retention', async () => {
    const pinned =
      'name: front, service: web, port: 80, protocol: UDP, externalPort: 53, address: 194.28.98.217';
    await story.change([
      { 'leases/fern/18600001.yaml': lease(stranger, '18600001', pinned) },
      '2026-12-21',
    ]);
    await serviceAt('194.28.98.217', 53);
  });

  test('an address is released and leased again in two commits that the engine sees at once', async () => {
    const [address = ''] = [...story.planned.addresses]
      .filter(([key]) => key.endsWith('/blog-ip-8443-tcp'))
      .map(([, planned]) => planned);
    const pinned = `name: late, service: web, port: 80, externalPort: 8443, address: ${address}`;
    await story.change(
      [{ [first]: undefined, [second]: undefined }, '2026-12-21'],
      [{ 'leases/fern/18600002.yaml': lease(stranger, '18600002', pinned) }, '2026-12-23'],
    );
    await serviceAt(address, 8443);
  });

  test("MetalLB's controller is killed while a lease comes, and starts again", async () => {
    const { metallb } = story.machine;
    const web = 'name: grove, service: web, port: 80';
    await metallb.stopController('SIGKILL');
    const added = story.change([
      { 'leases/grove/18700001.yaml': lease(ember, '18700001', web) },
      '2026-12-23',
    ]);
    await metallb.startController();
    await added;
  });

  test('a lease namespace is deleted by hand, and other leases still come', async () => {
    const { kube } = story.machine.plane;
    const [lost = ''] = [...story.planned.addresses.keys()][0]?.split('/') ?? [];
    await removeWhole(kube, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: lost } });
    const mail = 'name: heath, service: smtp, port: 25';
    const edit = { 'leases/heath/18800001.yaml': lease(ember, '18800001', mail) };
    const commit = await story.repository.change(edit, '2026-12-23');
    await story.engine.synced(commit);
    await story.settle();
  });

  const half =
    'name: six, service: web, port: 80, zone: edge, ipFamily: ipv6, address: "2001:db8:30::e0"';
  const release: Edit = { 'leases/dune/18467002.yaml': undefined };
  const again: Edit = { 'leases/fern/18600003.yaml': lease(stranger, '18600003', half) };

  if (place.engine === 'Flux' && place.layout === 'lease') {
    test('half of a former pair goes to someone else, both commits seen at once: only after the old pool is deleted', async () => {
      await story.engine.suspend();
      await story.repository.change(release, '2026-12-23');
      const commit = await story.repository.change(again, '2026-12-31');
      await story.engine.resume();
      // MetalLB refuses the new pool while the old one is live, and Flux prunes only after it has applied.
      const refused = async (): Promise<true> => {
        const complaint = await story.engine.complaint();
        if (!complaint.includes('overlaps')) throw new Error(complaint);
        return true;
      };
      await until(refused, { what: 'an engine that is refused' });
      expect(await story.verified(1)).toMatch(
        /^left over .* IPAddressPool metallb-system\/ip-203\.0\.113\.29 /m,
      );
      await story.machine.plane.kube.remove(poolOfThePair);
      await story.engine.synced(commit);
      await story.settle();
    });
  } else {
    test('half of a former pair goes to someone else, both commits seen at once', async () => {
      await story.change([release, '2026-12-23'], [again, '2026-12-31']);
    });
  }

  test('all data of the cluster is lost, and it is rebuilt from git with the same addresses', async () => {
    await story.rebuild();
    const commit = await story.repository.change({}, '2026-12-31');
    await story.engine.synced(commit);
    await story.settle();
  });
});
