import { type Clock, restUnlessStopped } from '../../core/interfaces/clock.ts';
import { EnvironmentError, type Problem } from '../../core/model/problem.ts';
import type { AnsweredState } from '../../core/text/answer.ts';
import type {
  ClusterFinding,
  Verification,
  VerifiedClaim,
  VerifiedObject,
} from './verification-answer.ts';

/** The result of one comparison of a watch. */
export type Poll =
  | {
      readonly kind: 'verified';
      readonly verification: Verification;
      /** The compared tree and cluster. */
      readonly state: AnsweredState;
    }
  /** The tree has problems, so the cluster was not asked. */
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  /** The cluster could not be asked. */
  | { readonly kind: 'failed'; readonly reason: string };

/** A repeated comparison. */
export interface Watch {
  readonly clock: Clock;
  /** Milliseconds between two comparisons. */
  readonly interval: number;
  /** Reads the tree and compares the cluster with it. Undefined when a stop has cut it short. */
  readonly poll: () => Promise<Poll | undefined>;
  readonly isStopped: () => boolean;
  /** Called with the first result, and with each one that differs from the one before. */
  readonly onChange: (found: Poll, before: Poll | undefined) => Promise<void>;
}

/**
 * Compares a cluster with the tree until it is stopped, and returns the last result; undefined when
 * no comparison was finished. Another day or commit alone is no change.
 */
export async function watchCluster(watch: Watch): Promise<Poll | undefined> {
  let before: Poll | undefined;
  while (!watch.isStopped()) {
    const found = await watch.poll();
    if (found === undefined) break;
    if (JSON.stringify(stateless(found)) !== JSON.stringify(stateless(before))) {
      await watch.onChange(found, before);
    }
    before = found;
    await restUnlessStopped(watch.clock, watch.interval, watch.isStopped);
  }
  return before;
}

function stateless(poll: Poll | undefined) {
  return poll?.kind === 'verified' ? poll.verification : poll;
}

/**
 * Turns an EnvironmentError of a poll into its result. Undefined for a poll that fails after the
 * signal has aborted.
 */
export async function pollOrFailure(
  poll: () => Promise<Poll>,
  signal: AbortSignal,
): Promise<Poll | undefined> {
  try {
    return await poll();
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof EnvironmentError)) throw error;
    return { kind: 'failed', reason: error.message };
  }
}

/** The lines of a verification that differ from those of an earlier one. */
export interface ChangedLines {
  /** The later verification with only its new and changed lines. */
  readonly changed: Verification;
  /** The lines that are no more, such as `left over IPAddressPool metallb-system/x`. */
  readonly gone: readonly string[];
}

/** Compares two verifications line by line. */
export function changedLines(before: Verification, now: Verification): ChangedLines {
  const claims = difference(before.claims, now.claims, claimKey);
  const objects = difference(before.objects, now.objects, ({ object }) => object);
  const findings = difference(before.findings, now.findings, findingKey);
  const pools = difference(before.openPools, now.openPools, ({ pool }) => pool);
  return {
    changed: {
      ...now,
      claims: claims.changed,
      objects: objects.changed,
      findings: findings.changed,
      openPools: pools.changed,
    },
    gone: [
      ...claims.gone.map((claim) => `${claim.state} ${claimKey(claim)}`),
      ...objects.gone.map(({ state, object }: VerifiedObject) => `${state} ${object}`),
      ...findings.gone.map((finding) => `cluster problem ${findingKey(finding)}`),
      ...pools.gone.map(({ pool }) => `open pool ${pool}`),
    ],
  };
}

function claimKey({ object, externalPort, protocol }: VerifiedClaim): string {
  return `${object} ${externalPort}/${protocol}`;
}

function findingKey({ object, message }: ClusterFinding): string {
  return `${object} ${message}`;
}

function difference<Line>(
  before: readonly Line[],
  now: readonly Line[],
  keyOf: (line: Line) => string,
): { readonly changed: Line[]; readonly gone: Line[] } {
  const known = new Map(before.map((line) => [keyOf(line), JSON.stringify(line)]));
  const kept = new Set(now.map(keyOf));
  return {
    changed: now.filter((line) => known.get(keyOf(line)) !== JSON.stringify(line)),
    gone: before.filter((line) => !kept.has(keyOf(line))),
  };
}
