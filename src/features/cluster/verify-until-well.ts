import { EnvironmentError } from '../../model/problem.ts';
import type { LiveCluster } from '../../ports/live-cluster.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Desired } from './desired.ts';
import type { Verification } from './verification-answer.ts';
import { verifyCluster } from './verify.ts';

/** Milliseconds between two looks. */
const interval = 2000;

/** How long to wait until all is well, and who hears that the wait begins. */
export interface Patience {
  readonly waiting: Waiting;
  /** Milliseconds from the first look on; 0 is one look. */
  readonly timeout: number;
  /** Told once, what the first look found. */
  readonly onWait: (found: Verification | EnvironmentError) => void;
}

/**
 * Looks at a cluster until all is well or time is over, and gives the last look. A cluster that is not
 * reached is waited for too; when the last look does not reach it, its EnvironmentError is thrown.
 */
export async function verifyUntilWell(
  desired: Desired,
  cluster: LiveCluster,
  { waiting, timeout, onWait }: Patience,
): Promise<Verification> {
  const end = waiting.now() + timeout;
  for (let looks = 1; ; looks += 1) {
    const found = await lookOnce(desired, cluster);
    const isFailure = found instanceof EnvironmentError;
    const left = end - waiting.now();
    if ((!isFailure && found.ok) || left <= 0) {
      if (isFailure) throw found;
      return found;
    }
    if (looks === 1) onWait(found);
    await waiting.pause(Math.min(interval, left));
  }
}

async function lookOnce(
  desired: Desired,
  cluster: LiveCluster,
): Promise<Verification | EnvironmentError> {
  try {
    return await verifyCluster(desired, cluster);
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}
