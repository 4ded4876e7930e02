import type { VerifiedKind } from '../../../core/model/kinds.ts';
import type { LiveObject } from '../../../core/model/live.ts';
import { compareText } from '../../../core/model/order.ts';
import type { DenialCollector } from '../../../lib/kubernetes/denial-collector.ts';
import type { LiveCluster } from '../../../lib/kubernetes/live-cluster.ts';
import type { Desired } from '../desired.ts';
import type { Finding } from '../diagnosis-answer.ts';
import type { CommonFacts, Expected } from '../doctor/facts.ts';
import type { Evidence } from '../live/claim-state.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Verification } from '../verification-answer.ts';

/** What the data plane of a live cluster says of its Services. */
export interface PlaneEvidence
  extends Pick<Evidence, 'waitingFor' | 'announcementOf'>,
    Pick<Verification, 'findings' | 'openPools' | 'notes'> {}

/** The live cluster, as far as every plane needs it. */
export interface Gathered {
  readonly live: Snapshot;
  readonly deployments: readonly LiveObject[];
  /** Lists a kind where `liveKinds` says; undefined when the cluster lacks it. */
  readonly list: (kind: VerifiedKind) => Promise<readonly LiveObject[] | undefined>;
  readonly asked: DenialCollector;
}

/** What verify and doctor need of a data plane. */
export interface LivePlane {
  /** What it says of the Services of a cluster. */
  readonly evidence: (desired: Desired, gathered: Gathered) => Promise<PlaneEvidence>;
  /** What doctor finds of it, in any order. */
  readonly findings: (
    live: LiveCluster,
    facts: CommonFacts,
    expected: Expected,
  ) => Promise<readonly Finding[]>;
}

/** With more namespaces than this, one list of all objects is cheaper than one for each. */
const mostNamespaces = 20;

/**
 * Lists a kind in the namespaces of Services, or in all namespaces when these are many. Undefined
 * when the cluster lacks the kind.
 */
export async function listBeside(
  services: readonly LiveObject[],
  kind: VerifiedKind,
  cluster: DenialCollector,
): Promise<readonly LiveObject[] | undefined> {
  const namespaces = new Set(services.flatMap(({ metadata }) => metadata.namespace ?? []));
  const asked = namespaces.size > mostNamespaces ? [undefined] : [...namespaces].sort(compareText);
  const found: (readonly LiveObject[])[] = [];
  for (const namespace of asked) {
    const objects = await cluster.list(kind, namespace);
    if (!objects) return undefined;
    found.push(objects);
  }
  return found.flat();
}

/** Advice for the Service of a reservation without the label that its pool asks for. */
export function labelHint({ metadata }: LiveObject, label: string, value: string): string {
  return `its pool serves no Service without the label ${label}: give its chart what \`leasehold list -o values\` prints; until then: \`kubectl -n ${metadata.namespace} label service ${metadata.name} ${label}=${value} --overwrite\``;
}
