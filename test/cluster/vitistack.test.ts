import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type AddressWatch, keyOf, watchAddresses } from '../support/cluster/address-watch.ts';
import { applyInOrder } from '../support/cluster/by-hand.ts';
import { expectConverged, expectKept, givenAddress } from '../support/cluster/convergence.ts';
import { service } from '../support/cluster/declared.ts';
import type { Kube, KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import type { MetallbVersion } from '../support/cluster/machines/metallb.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { inWaves, plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { noneByItself } from '../support/cluster/unasked.ts';
import { printedIn } from '../support/docs/printed-commands.ts';
import {
  operatorAnnotations,
  operatorPool,
  prefixOf,
} from '../support/imports/vitistack-operator.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const today = '2026-11-20';
/** The versions that read the annotations that the operator writes. */
const versions: readonly MetallbVersion[] = ['0.14.9', '0.16.1'];

/** A Service as its author wrote it, and the addresses that the operator gave it. */
interface Given {
  readonly object: KubeObject;
  readonly addresses: readonly string[];
}

/** What the author of a Service writes of it. */
interface Author {
  readonly ipam?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

const sharing = { zone: 'inet', 'allow-local-shared-ip': 'front' };
const services: readonly Given[] = [
  given('shop/web', ['2001:db8:40::', '203.0.113.64'], {
    ipam: { 'ip-family': 'dual', zone: 'inet', 'retention-period-days': '7' },
    spec: { ipFamilyPolicy: 'RequireDualStack' },
  }),
  given('shop/api', ['10.20.0.0'], {}),
  given('shop/door', ['203.0.113.65'], { ipam: sharing }),
  given('shop/window', ['203.0.113.65'], { ipam: sharing, spec: { ports: [{ port: 81 }] } }),
  given('six/six', ['2001:db8:40::1'], {
    ipam: { 'ip-family': 'ipv6', zone: 'inet' },
    spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'] },
  }),
  given('mail/mail', ['203.0.113.66'], {
    ipam: { zone: 'inet' },
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  }),
];
/** A chart writes one; the others share an address, and a change of their sharing key would take it from them. */
const isReserved = (object: KubeObject): boolean =>
  ['mail/mail', 'shop/door', 'shop/window'].includes(keyOf(object));
const objects = services.map(({ object }) => object);
const reserved = objects.filter(isReserved);
const declared = objects.filter((object) => !isReserved(object));

/** What NetBox has: a container for each zone and family, and what ipam-api has given from them. */
const retained = '203.0.113.70';
const netBox = [
  ...['203.0.113.64/28', '2001:db8:40::/124'].map((prefix) => ({ prefix, zone: 'inet' })),
  { prefix: '10.20.0.0/28', zone: 'hnet-private' },
].map(({ prefix, zone }, index) =>
  row(prefix, 'container', { k8s_zone: zone, k8s_uuid: null }, index + 1),
);
const givenPrefixes = [
  ...new Set([...services.flatMap(({ addresses }) => addresses), retained]),
].map((address, index) =>
  row(
    prefixOf(address),
    'active',
    { k8s_zone: isPrivate(address) ? 'hnet-private' : 'inet', k8s_uuid: `id of ${address}` },
    index + 100,
  ),
);

/** What the operator leaves when it is uninstalled without them: every change of a Service is refused. */
const webhooks: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'ipam-validating-webhook-configuration' },
  webhooks: [
    {
      name: 'vservice-v1.kb.io',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/validate--v1-service' },
      failurePolicy: 'Fail',
      sideEffects: 'None',
      rules: [
        {
          apiGroups: [''],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE', 'DELETE'],
          resources: ['services'],
        },
      ],
    },
  ],
};

/** The operator writes no advertisement: a person did. */
const advertisement: KubeObject = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'L2Advertisement',
  metadata: { name: 'zones', namespace: metallbNamespace },
  spec: { ipAddressPools: ['inet', 'hnet-private'] },
};

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('The cut-over from ipam-operator', () => {
  describe.each(inScope(versions, (version) => version === '0.16.1'))('MetalLB %s', (version) => {
    let machine: Machine;
    let kube: Kube;
    let repository: LeaseRepository;
    let watch: AddressWatch;
    let assigned: ReadonlyMap<string, string>;

    beforeAll(async () => {
      machine = await startMachine(temporaryKeeper(), version);
      kube = machine.plane.kube;
      for (const object of [...akashDefinitions(), advertisement]) await kube.apply(object);
      for (const name of ['shop', 'six', 'mail']) {
        await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      }
      assigned = await leave(machine);
      await kube.apply(webhooks);
      const folder = mkdtempSync(join(machine.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
      watch = await watchAddresses(kube);
    });
    afterAll(async () => {
      watch?.close();
      await machine?.keeper.close();
    });

    const kept = (): Promise<void> => expectKept(watch, assigned);

    async function verified(): Promise<string> {
      const config = machine.plane.kubeconfig;
      const { status, out, err } = await repository.leasehold('verify', '--kubeconfig', config);
      return `${status} ${out}${err}`;
    }

    /** Applies what is committed, and waits until MetalLB works by it. */
    async function applied(): Promise<void> {
      const planned = plannedIn(repository.root);
      await applyInOrder(kube, inWaves(planned));
      await expectConverged(kube, machine.metallb, planned);
      await noneByItself(machine);
      await kept();
    }

    test('the three imports of the page declare every Service on its address, and reserve what is kept', async () => {
      const file = join(machine.folder, 'prefixes.json');
      writeFileSync(file, JSON.stringify([...netBox, ...givenPrefixes]));
      const fromNetBox = ['import', 'netbox', file, '--zone-field', 'k8s_zone', '--status'];
      const given = ['container', '--given-field', 'k8s_uuid', '--zone', 'hnet-private'];
      await repository.run(today, ...fromNetBox, ...given);
      const pools = repository.read('leases/pools.yaml');
      expect(pools).toContain('fence: open');
      const edited = pools.replace(/version: [\d.]+/, `version: ${version}`);
      await repository.change({ 'leases/pools.yaml': edited }, today);
      const config = ['--kubeconfig', machine.plane.kubeconfig];
      await repository.run(today, 'import', 'vitistack', ...config);
      await repository.run(today, ...fromNetBox, 'container');
      expect(await repository.leasehold('check')).toMatchObject({ status: 0 });
      expect(repository.read('leases/pools.yaml')).toContain(retained);
      const { out } = await repository.leasehold('list', '-o', 'json');
      const held = JSON.parse(out).items.flatMap(({ addresses, claims }: Held) =>
        claims.map(({ namespace, service }) => [
          `${namespace}/${service}`,
          addresses.toSorted().join(','),
        ]),
      );
      expect(held.sort()).toEqual([...assigned].sort());
    });

    test('while the webhooks of the operator are there without it, no Service can be changed', async () => {
      const [first] = plannedIn(repository.root).objects.filter(({ kind }) => kind === 'Service');
      expect(first).toBeDefined();
      if (first) await expect(kube.apply(first)).rejects.toThrow('failed calling webhook');
      await kept();
      await kube.remove(webhooks);
    });

    test('the manifests are applied over what the operator left, and no address changes', async () => {
      await applied();
    });

    test('verify names the annotation of the operator that is left on declared Services, and then nothing', async () => {
      const left = 'metadata.annotations[metallb.io/address-pool]';
      expect((await verified()).split(left)).toHaveLength(declared.length + 1);
      const line = printedIn('vitistack', 'kubectl annotate service --namespace shop web');
      for (const { metadata } of declared) {
        const { namespace, name } = metadata;
        await runPrinted({ kube }, line.replace('shop web', `${namespace} ${name}`));
      }
      expect(await verified()).toMatch(/^0 /);
      await kept();
    });

    test('a Service that stays in the hands of others keeps its address once it has its label, when the pools are closed', async () => {
      const named = [...(await verified()).matchAll(/Service (\S+) on \S+ is declared but/g)];
      expect(named.map(([, key]) => key).sort()).toEqual(reserved.map(keyOf).sort());
      const labels = { 'leasehold.dev/reserved': 'true' };
      for (const one of reserved) await kube.merge(one, { metadata: { labels } });
      await kube.remove(advertisement);
      const closed = repository.read('leases/pools.yaml').replaceAll('    fence: open\n', '');
      await repository.change({ 'leases/pools.yaml': closed }, today);
      await applied();
      await machine.metallb.stopController('SIGKILL');
      await machine.metallb.startController();
      await applied();
      expect(await verified()).toMatch(/^0 /);
    });
  });
});

/** What `leasehold list -o json` says of a holder. */
interface Held {
  readonly addresses: readonly string[];
  readonly claims: readonly { readonly namespace: string; readonly service: string }[];
}

/** Applies what the operator leaves of the Services, and gives the addresses that MetalLB made of it. */
async function leave({ plane: { kube }, metallb }: Machine): Promise<ReadonlyMap<string, string>> {
  const all = [...new Set(services.flatMap(({ addresses }) => addresses))];
  const pools = [
    operatorPool('hnet-private', all.filter(isPrivate)),
    operatorPool(
      'inet',
      all.filter((address) => !isPrivate(address)),
    ),
  ];
  for (const pool of pools) await kube.apply(pool as KubeObject);
  const assigned = new Map<string, string>();
  for (const { object } of services) {
    const manager = object.metadata.labels?.['app.kubernetes.io/managed-by'] ? 'helm' : 'kubectl';
    await kube.apply(object, { manager });
    assigned.set(keyOf(object), await givenAddress(kube, metallb, object));
  }
  return assigned;
}

function given(key: string, addresses: readonly string[], author: Author): Given {
  const [namespace = '', name = ''] = key.split('/');
  const { ipam, labels = {}, spec = {} } = author;
  const annotations = operatorAnnotations(addresses, ipam);
  const { metadata, ...rest } = service(namespace, name, { annotations, spec });
  return { object: { ...rest, metadata: { ...metadata, labels } } as KubeObject, addresses };
}

function row(prefix: string, status: string, fields: object, id: number): object {
  return { id, prefix, status: { value: status }, vrf: null, custom_fields: fields };
}

function isPrivate(address: string): boolean {
  return address.startsWith('10.');
}
