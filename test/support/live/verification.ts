import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LiveKind } from '../../../src/core/model/kinds.ts';
import type { LiveObject } from '../../../src/core/model/live.ts';
import { check } from '../../../src/core/run/synth/check.ts';
import { openForReading } from '../../../src/core/world/disk/disk-tree.ts';
import { type Desired, desiredState } from '../../../src/features/cluster/desired.ts';
import type {
  Verification,
  VerifiedClaim,
} from '../../../src/features/cluster/verification-answer.ts';
import { verifyCluster } from '../../../src/features/cluster/verify.ts';
import type { LiveCluster } from '../../../src/lib/kubernetes/live-cluster.ts';
import { noHistory } from '../trees/memory-tree.ts';
import { type Applied, applied } from './applied-objects.ts';

/** What a repository wants of its default cluster. */
export async function desiredOf(root: string, name?: string): Promise<Desired> {
  const tree = openForReading(root);
  const outcome = await check(tree, noHistory);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  const { clusters, defaultCluster } = outcome.value.workspace.pools;
  const cluster = clusters.find((one) => one.name === (name ?? defaultCluster));
  return desiredState(tree, outcome.value, cluster!);
}

/** A cluster in memory that has these objects; a kind that is left out is not served. */
export function memoryCluster(
  objects: Partial<Applied>,
): LiveCluster & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: 'memory',
    asked,
    async list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined> {
      asked.push(`${kind} ${namespace ?? '*'}`);
      return objects[kind]?.filter(
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      );
    },
    version: () => Promise.reject(new Error('not asked')),
    dryRun: () => Promise.reject(new Error('not asked')),
    log: () => Promise.reject(new Error('not asked')),
    askService: () => Promise.reject(new Error('not asked')),
  };
}

/** A folder of `test/golden/cases` as a repository that synth has run in. */
export function goldenCase(name: string): string {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-case-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = resolve('test/golden/cases', name);
  cpSync(join(folder, 'in'), root, { recursive: true });
  cpSync(join(folder, 'out'), root, { recursive: true });
  return root;
}

/** What verify finds in a cluster where `dist/` was applied, and then changed. */
export async function verificationOf(
  root: string,
  change: (objects: Applied) => void = () => {},
): Promise<Verification> {
  const objects = applied(root);
  change(objects);
  return verifyCluster(await desiredOf(root), memoryCluster(objects));
}

/** A claim of `Service web/app` that is ok, with these fields. */
export function verifiedClaim(fields: Partial<VerifiedClaim> = {}): VerifiedClaim {
  return {
    holder: 'default/akash/holder',
    lease: 'owner/1/1/1/provider',
    namespace: 'web',
    service: 'app',
    port: 8080,
    externalPort: 80,
    protocol: 'TCP',
    file: 'leases/a.yaml:7',
    addresses: ['203.0.113.7', '2001:db8::7'],
    object: 'Service web/app',
    state: 'ok',
    details: [],
    ...fields,
  };
}

/** The claim of a port, and what is said of it. */
export function claimOf(verification: Verification, externalPort: number): VerifiedClaim {
  return verification.claims.find((claim) => claim.externalPort === externalPort)!;
}

/** What is said of a claim, as `state: object message`. */
export function saidOf(verification: Verification, externalPort: number): string[] {
  return claimOf(verification, externalPort).details.map(
    ({ state, object, message }) => `${state}: ${object} ${message}`,
  );
}
