import {
  apiVersionOf,
  type LiveKind,
  type LiveObject,
  liveKinds,
  objectName,
} from '../../model/live.ts';
import { type Outcome, startOf } from '../../model/problem.ts';
import type { LiveCluster } from '../../ports/live-cluster.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { runningClass, runningRelease } from '../cluster/doctor/metallb-workload.ts';
import { DenialCollector } from '../cluster/verify.ts';
import type { Imported } from './import.ts';
import type { ForeignDocuments } from './metallb/metallb-source.ts';

/** The kinds that an import asks a cluster for; docs/rbac/verify.yaml grants them. */
const importedKinds: readonly LiveKind[] = [
  'addressPool',
  'l2Advertisement',
  'bgpAdvertisement',
  'leasedIP',
  'service',
];

/**
 * Reads what a cluster has, and which MetalLB runs in it, as if it had been exported: an object's place is its name. All permissions that are missing
 * come in one EnvironmentError. Problems: those of `readAnswers`.
 */
export async function readLiveCluster(
  cluster: LiveCluster,
  readAnswers: (answers: readonly ForeignDocuments[]) => Outcome<Imported>,
): Promise<Outcome<Imported>> {
  const asked = new DenialCollector(cluster);
  const documents: YamlDocument[] = [];
  for (const kind of importedKinds) {
    for (const object of (await asked.list(kind)) ?? []) documents.push(documentOf(kind, object));
  }
  const deployments = (await asked.list('deployment')) ?? [];
  asked.throwDenials();
  const read = readAnswers([{ documents: { ok: true, value: documents }, text: '' }]);
  if (!read.ok) return read;
  const { namespace } = read.value;
  if (namespace === undefined) return read;
  const version = runningRelease(deployments, namespace);
  const loadBalancerClass = runningClass(deployments, namespace);
  return { ok: true, value: { ...read.value, version, loadBalancerClass } };
}

function documentOf(kind: LiveKind, object: LiveObject): YamlDocument {
  const place = startOf(objectName(kind, object));
  return {
    file: place.file,
    value: { apiVersion: apiVersionOf(kind), kind: liveKinds[kind].kind, ...object },
    oddNumbers: [],
    at: () => place,
    keyAt: () => place,
  };
}
