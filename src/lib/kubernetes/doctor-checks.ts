import type { Extension } from '../../core/interfaces/extension.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { CodeExplanation, FeatureCode } from '../../core/model/codes/problem-codes.ts';
import type { LiveKind } from '../../core/model/kinds.ts';
import type { LiveObject } from '../../core/model/live.ts';
import type { Cluster, Pools } from '../../core/model/pools.ts';
import { DeniedError, type Outcome } from '../../core/model/problem.ts';
import type { LiveCluster } from './live-cluster.ts';

/** The result of one check of `leasehold doctor`. Texts are sentences without a trailing period. */
export interface CheckFinding<Code extends string = FeatureCode> {
  /** `problem` must be fixed, `caution` should be reviewed, `unknown` could not be checked. */
  readonly level: 'ok' | 'caution' | 'problem' | 'unknown';
  readonly code: Code;
  readonly found: string;
  /** Its consequence. */
  readonly means?: string;
  readonly fix?: string;
  /** A shell command that does it. */
  readonly command?: string;
}

/** Asks a live cluster, one request at a time. Returns the findings in the order of their codes. */
export type LiveCheck = (live: LiveCluster) => Promise<readonly CheckFinding[]>;

/** The permissions of a request: resources of a group, verbs, and the names of objects if it is limited. */
export type AccessRule = readonly [
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  names?: readonly string[],
];

/** The checks that a feature adds to `leasehold doctor`. */
export interface DoctorChecks {
  /** In the order of the report. A code is never also the code of a problem. */
  readonly codes: Readonly<Record<string, CodeExplanation>>;
  /** Their permissions to read: in the whole cluster, and in one namespace. */
  readonly access: {
    readonly cluster: readonly AccessRule[];
    readonly namespace: string;
    readonly own: readonly AccessRule[];
  };
  /** The check of what the tree declares for a cluster; undefined when it declares nothing. */
  of(tree: SourceTree, pools: Pools, cluster: Cluster): Outcome<LiveCheck | undefined>;
}

/** Where a feature adds checks to `leasehold doctor`, and to what `bootstrap rbac --doctor` grants. */
export const doctorChecks: Extension<DoctorChecks> = { name: 'checks of doctor' };

/** The result of one request to a cluster, or the reason why RBAC denies it, as one sentence. */
export type Fact<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly reason: string };

/** The objects of a kind; undefined when the cluster does not serve it. */
export type Objects = Fact<readonly LiveObject[] | undefined>;

/** The result of a request, or the reason why RBAC denies it. Other failures are thrown. */
export async function factOf<Value>(request: () => Promise<Value>): Promise<Fact<Value>> {
  try {
    return { known: true, value: await request() };
  } catch (failure) {
    if (failure instanceof DeniedError) {
      return { known: false, reason: `${failure.user} may not ${failure.request}` };
    }
    throw failure;
  }
}

/** The objects of a kind in one namespace or in all. */
export function listed(
  live: Pick<LiveCluster, 'list'>,
  kind: LiveKind,
  namespace?: string,
): Promise<Objects> {
  return factOf(() => live.list(kind, namespace));
}

/** The objects of a fact; none when it is unknown or the kind is not served. */
export function objectsOf(fact: Objects): readonly LiveObject[] {
  return fact.known ? (fact.value ?? []) : [];
}

/** The command of who grants permissions, in a connection of their own. */
export const grantingCommand = 'npx --no -- leasehold bootstrap rbac --doctor | kubectl apply -f -';

/** The finding that RBAC denies a request, and how to grant it. */
export function unknown<Code extends string>(code: Code, reason: string): CheckFinding<Code> {
  const fix =
    'apply what `leasehold bootstrap rbac --doctor` prints, for the ServiceAccount that --account names, and run `leasehold doctor` again';
  return { level: 'unknown', code, found: reason, fix, command: grantingCommand };
}

/** True for the texts that Go's strconv.ParseBool reads as true. */
export function isTrue(value: string): boolean {
  return ['1', 't', 'true'].includes(value.toLowerCase());
}
