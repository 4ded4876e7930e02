import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import {
  declaredServiceManifest,
  unleasedServiceManifest,
} from '../../src/core/manifests/objects/declared-service.ts';
import type { Cluster } from '../../src/core/model/pools.ts';
import type { DeclaredService } from '../../src/core/model/service.ts';
import { type KubeObject, Refused } from '../support/cluster/kube.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/machines/control-plane.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { anAddress, thePools } from '../support/declarations/pools-and-claims.ts';
import { readText, somePools } from '../support/declarations/read-declaration.ts';
import { anyServiceObject } from '../support/declarations/service-arbitrary.ts';
import { badKinds } from '../support/trees/bad-corpus.ts';

const [cluster] = thePools().clusters as readonly [Cluster];
const addresses = [anAddress('203.0.113.7'), anAddress('2001:db8::7')];
const claim = { holder: 'default/service/a/b', sharingKey: 'leasehold-a' };

describe.skipIf(inject('clusterIsMissing'))('A dry run on a real API server', () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    const keeper = temporaryKeeper();
    plane = await startControlPlane(keeper, join(keeper.folder, 'plane'));
  });
  afterAll(async () => {
    await plane?.stop();
  });

  /** Why the API server refuses an object; undefined when it takes it. */
  async function refusal(object: KubeObject): Promise<string | undefined> {
    const metadata = { ...object.metadata, namespace: 'default' };
    try {
      await plane.kube.apply({ ...object, metadata }, { dryRun: true });
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
    return undefined;
  }

  test('takes every Service that leasehold takes', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(anyServiceObject, async (object) => {
        const read = readText(JSON.stringify(object), somePools);
        if (!read.ok) return;
        taken += 1;
        const declared = read.value as DeclaredService;
        const manifest = declared.isLeased
          ? declaredServiceManifest(cluster, claim, declared, {
              addresses,
              pool: { name: 'default' },
            })
          : unleasedServiceManifest(declared);
        expect(await refusal(manifest as KubeObject)).toBeUndefined();
      }),
      { seed: 15, numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(400);
  });

  const service = (name: string, spec: object, port: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { ports: [{ port: 80, protocol: 'TCP', ...port }], ...spec },
  });
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };

  test('refuses what leasehold calls NODE_PORT_TAKEN, whatever the protocol', async () => {
    const other = (nodePort: number) =>
      service('other', { type: 'NodePort' }, { protocol: 'UDP', nodePort });
    await plane.kube.apply(service('first', { type: 'NodePort' }, { nodePort: 30980 }));
    await plane.kube.apply(service('checked', { ...local, healthCheckNodePort: 30990 }));
    expect(await refusal(other(30980))).toMatch(/already allocated/);
    expect(await refusal(other(30990))).toMatch(/already allocated/);
    expect(await refusal(other(30981))).toBeUndefined();
    // A node port that is only left out stays with the Service.
    await plane.kube.apply(service('first', { type: 'NodePort' }));
    expect(await refusal(other(30980))).toMatch(/already allocated/);
  });

  test('refuses what leasehold calls HEALTH_CHECK_CHANGED', async () => {
    const checked = (name: string, spec: object) => service(name, { ...local, ...spec });
    await plane.kube.apply(checked('named', { healthCheckNodePort: 30970 }));
    await plane.kube.apply(checked('picked', {}));
    expect(await refusal(checked('named', { healthCheckNodePort: 30971 }))).toMatch(/immutable/);
    expect(await refusal(checked('picked', { healthCheckNodePort: 30972 }))).toMatch(/immutable/);
    expect(await refusal(checked('named', {}))).toBeUndefined();
    expect(await refusal(service('named', { type: 'LoadBalancer' }))).toBeUndefined();
  });

  test('refuses what leasehold calls FAMILY_CHANGED', async () => {
    const of = (spec: object) => service('families', spec);
    await plane.kube.apply(of({ type: 'LoadBalancer', ipFamilies: ['IPv4'] }));
    await plane.kube.apply(of({ type: 'ClusterIP' }));
    expect(await refusal(of({ ipFamilies: ['IPv6'] }))).toMatch(/expected an IPv6 value/);
    expect(await refusal(of({ type: 'LoadBalancer', ipFamilies: ['IPv4'] }))).toBeUndefined();
  });

  test('refuses a health check on the port of the same Service, also for UDP', async () => {
    const ports = { protocol: 'UDP', nodePort: 30960 };
    const one = service('twice', { ...local, healthCheckNodePort: 30960 }, ports);
    expect(await refusal(one)).toMatch(/\S/);
  });

  /** What only other versions refuse, and what is dropped without a word. */
  const others = ["The kubelet's port", 'A timeout without affinity'];
  const invalid = badKinds()
    .filter(({ code }) => code === 'SERVICE_INVALID')
    .flatMap(({ cases }) => cases)
    .filter(({ name }) => !others.includes(name))
    .flatMap(({ name, files }) => {
      const [text] = Object.values(files);
      return typeof text === 'string' ? [[name, parse(text) as KubeObject] as const] : [];
    });

  test.each(invalid)('refuses what leasehold calls SERVICE_INVALID: %s', async (_, object) => {
    expect(await refusal(object)).toMatch(/\S/);
  });
});
