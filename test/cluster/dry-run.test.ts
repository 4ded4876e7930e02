import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import {
  declaredServiceManifest,
  unleasedServiceManifest,
} from '../../src/manifests/declared-service.ts';
import type { Cluster } from '../../src/model/pools.ts';
import type { DeclaredService } from '../../src/model/service.ts';
import { badKinds } from '../support/bad-corpus.ts';
import { anAddress, thePools } from '../support/builders.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/control-plane.ts';
import { type KubeObject, Refused } from '../support/cluster/kube.ts';
import { temporaryKeeper } from '../support/cluster/machine.ts';
import { readText, somePools } from '../support/declaring.ts';
import { anyServiceObject } from '../support/service-arbitrary.ts';

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
          ? declaredServiceManifest(cluster, claim, declared, addresses)
          : unleasedServiceManifest(declared);
        expect(await refusal(manifest as KubeObject)).toBeUndefined();
      }),
      { seed: 15, numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(400);
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
