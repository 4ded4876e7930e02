import { describe, expect, it, test } from 'vitest';
import { startOf } from '../../../../src/core/model/problem.ts';
import type { Finding } from '../../../../src/features/cluster/diagnosis-answer.ts';
import { inventoryCheck } from '../../../../src/features/inventory/checks.ts';
import { finding } from '../../../../src/features/inventory/codes.ts';
import type { Gpu, Inventory } from '../../../../src/features/inventory/inventory.ts';
import { inventoryConfigText } from '../../../../src/features/inventory/inventory-config.ts';
import { findings, findingsOf } from '../../../support/live/findings.ts';
import type { Live } from '../../../support/live/healthy-cluster.ts';

const gpu: Gpu = { vendor: 'nvidia', model: 'h100', ram: '80Gi', interface: 'sxm', count: 8 };

function inventoryOf(changes: Partial<Inventory> = {}): Inventory {
  const exclude = { nodes: [], nodeStorage: [] };
  return { cluster: 'default', clusterStorage: ['beta3', 'ram'], exclude, nodes: [], ...changes };
}

/** A node with its own GPUs. */
const declaredNode = (...gpus: readonly Gpu[]) => ({
  name: 'gpu-1',
  gpus,
  at: startOf('leases/inventory.yaml'),
});

/** Levels with texts, of one code. */
async function found(
  code: keyof typeof finding,
  live: Live,
  inventory = inventoryOf(),
): Promise<readonly string[]> {
  return (await findingsOf(finding[code], live, { checks: [inventoryCheck(inventory)] })).map(
    textOf,
  );
}

function textOf({ level, found, command }: Finding): string {
  return `${level}: ${found}${command === undefined ? '' : ` $ ${command}`}`;
}

test('without an inventory nothing is asked and nothing is reported', async () => {
  const codes = (await findings()).map(({ code }) => code);
  expect(codes.filter((code) => /INVENTORY|STORAGE|NODE_LABELS/.test(code))).toEqual([]);
});

test('a denied request is unknown, and the others are checked', async () => {
  const inventory = inventoryOf({ nodes: [declaredNode(gpu)] });
  const denied = ['storageClass', 'configMap', 'service/proxy', 'node'] as const;
  const all = await findings({ denied }, { checks: [inventoryCheck(inventory)] });
  const levels = all.map(({ level, code }) => `${level} ${code}`);
  expect(levels).toEqual(
    expect.arrayContaining([
      'unknown STORAGE_CLASS_LABEL',
      'unknown NODE_LABELS',
      'unknown INVENTORY_EMPTY',
      'unknown INVENTORY_CONFIG',
    ]),
  );
});

describe('STORAGE_CLASS_LABEL', () => {
  const storage = (
    labels: Readonly<Record<string, string>>,
    provisioner = 'rook-ceph.rbd.csi.ceph.com',
  ) => ({
    objects: { storageClass: [{ metadata: { name: 'beta3', labels }, provisioner }] },
  });

  it.each<readonly [string, Live, string]>([
    [
      'a class that is labelled; ram needs none',
      storage({ 'akash.network': 'true' }),
      'ok: the inventory operator can count the storage of beta3, ram',
    ],
    ['no such class', { objects: { storageClass: [] } }, 'problem: there is no StorageClass beta3'],
    [
      'a class without the label',
      storage({}),
      'problem: the StorageClass beta3 has no label akash.network=true $ kubectl label storageclass beta3 akash.network=true --overwrite',
    ],
    [
      'a label that means no',
      storage({ 'akash.network': 'false' }),
      'problem: the StorageClass beta3 has no label akash.network=true $ kubectl label storageclass beta3 akash.network=true --overwrite',
    ],
    [
      'a provisioner whose capacity is not counted',
      storage({ 'akash.network': 'true' }, 'nfs.csi.k8s.io'),
      'caution: the StorageClass beta3 has the provisioner nfs.csi.k8s.io',
    ],
  ])('reports %s', async (_, live, text) => {
    expect(await found('STORAGE_CLASS_LABEL', live)).toEqual([text]);
  });

  it('reports nothing of a cluster without storage', async () => {
    expect(await found('STORAGE_CLASS_LABEL', {}, inventoryOf({ clusterStorage: [] }))).toEqual([]);
  });
});

describe('NODE_LABELS', () => {
  const prefix = 'akash.network/capabilities.gpu.vendor.nvidia.model.h100';
  const labels = {
    'akash.network': 'true',
    [prefix]: '8',
    [`${prefix}.ram.80Gi`]: '8',
    [`${prefix}.interface.sxm`]: '8',
  };
  const nodeWith = (
    own: Readonly<Record<string, string>>,
    { status = 'True', spec = {} } = {},
  ): Live => ({
    objects: {
      node: [
        {
          metadata: { name: 'gpu-1', labels: { other: 'x', ...own } },
          spec,
          status: { conditions: [{ type: 'Ready', status }] },
        },
      ],
    },
  });
  const differs = 'problem: the labels of node gpu-1 differ from its declared GPUs: ';
  const command = ' $ kubectl -n akash-services logs deployment/operator-inventory';

  it.each<readonly [string, Live, string]>([
    [
      'the declared GPUs',
      nodeWith(labels),
      'ok: 1 declared node is ready, and labelled with the declared GPUs',
    ],
    ['a node that is missing', {}, 'problem: there is no node gpu-1'],
    [
      'a node that is not ready',
      nodeWith(labels, { status: 'Unknown' }),
      'problem: the node gpu-1 is not ready $ kubectl describe node gpu-1',
    ],
    [
      'a cordoned node',
      nodeWith(labels, { spec: { unschedulable: true } }),
      'caution: the node gpu-1 is cordoned $ kubectl uncordon gpu-1',
    ],
    [
      'a node that the operator leaves out',
      nodeWith({}),
      `${differs}the label akash.network is missing${command}`,
    ],
    [
      'a GPU that fell off the bus',
      nodeWith({ ...labels, [prefix]: '7', [`${prefix}.ram.80Gi`]: '7' }),
      `${differs}nvidia.model.h100 is 7, not 8; nvidia.model.h100.ram.80Gi is 7, not 8${command}`,
    ],
    [
      'other GPUs than are declared',
      nodeWith({ ...labels, 'akash.network/capabilities.gpu.vendor.amd.model.mi100': '1' }),
      `${differs}amd.model.mi100 is 1, not 0${command}`,
    ],
  ])('reports %s', async (_, live, text) => {
    const inventory = inventoryOf({ nodes: [declaredNode(gpu)] });
    expect(await found('NODE_LABELS', live, inventory)).toEqual([text]);
  });

  it('compares memory and interface only where all GPUs of a model declare them', async () => {
    const partly = [gpu, { ...gpu, ram: undefined, count: 1 }];
    const live = nodeWith({
      ...labels,
      ...{ [prefix]: '9', [`${prefix}.ram.94Gi`]: '9', [`${prefix}.interface.sxm`]: '9' },
    });
    const inventory = inventoryOf({ nodes: [declaredNode(...partly)] });
    expect(await found('NODE_LABELS', live, inventory)).toEqual([
      'ok: 1 declared node is ready, and labelled with the declared GPUs',
    ]);
  });
});

describe('INVENTORY_EMPTY', () => {
  const quantity = (capacity: string) => ({ allocatable: capacity, capacity });
  const node = (capacity: string, info: unknown) => ({
    name: 'gpu-1',
    resources: { gpu: { quantity: quantity(capacity), info } },
  });
  const storage = [{ info: { class: 'beta3' }, quantity: quantity('1') }];
  const answer = (cluster: object): Live => ({
    inventory: { isAnswered: true, json: cluster },
  });
  const command = ' $ kubectl -n akash-services logs deployment/operator-inventory';

  it.each<readonly [string, Live, readonly string[]]>([
    [
      'all that is declared',
      answer({ nodes: [node('8', [{ name: 'h100' }]), node('0', null)], storage }),
      ['ok: the inventory operator knows 2 nodes, all of their GPUs and all storage classes'],
    ],
    [
      'no answer',
      { inventory: { isAnswered: false, reason: 'no endpoints available' } },
      [`problem: the inventory operator does not answer: no endpoints available${command}`],
    ],
    [
      'an answer of something else',
      { inventory: { isAnswered: true, json: undefined } },
      [`problem: the inventory operator does not answer: its answer is not JSON${command}`],
    ],
    [
      'no nodes',
      answer({ nodes: null, storage: null }),
      [`problem: the inventory operator knows no node${command}`],
    ],
    [
      'no storage, and GPUs that are not known',
      answer({ nodes: [node('8', null)], storage: [] }),
      [
        `problem: the inventory operator knows no storage of beta3${command}`,
        `problem: the inventory operator knows nothing of the GPUs of gpu-1${command}`,
      ],
    ],
  ])('reports %s', async (_, live, texts) => {
    expect(await found('INVENTORY_EMPTY', live)).toEqual(texts);
  });
});

describe('INVENTORY_CONFIG', () => {
  const config = (data: object, labels = {}): Live => ({
    objects: {
      configMap: [
        { metadata: { name: 'operator-inventory', namespace: 'akash-services', labels }, data },
      ],
    },
  });
  const ours = { 'app.kubernetes.io/managed-by': 'leasehold' };
  const text = inventoryConfigText(inventoryOf());
  const name = 'the ConfigMap akash-services/operator-inventory';
  const command = ' $ kubectl -n akash-services rollout restart deployment/operator-inventory';

  it.each<readonly [string, Live, string]>([
    ['the one in dist/', config({ 'config-path': text }, ours), `ok: ${name} is the one in dist/`],
    ['none', {}, 'problem: there is no ConfigMap akash-services/operator-inventory'],
    [
      'the one of the chart, although it says the same',
      config({ 'config-path': '/akash/config.yaml', 'config.yaml': text }),
      `problem: ${name} is that of the operator's chart${command}`,
    ],
    [
      'an older one',
      config({ 'config-path': text.replace('ram', 'beta2') }, ours),
      `problem: ${name} differs from the one in dist/${command}`,
    ],
  ])('reports %s', async (_, live, text) => {
    expect(await found('INVENTORY_CONFIG', live)).toEqual([text]);
  });
});
