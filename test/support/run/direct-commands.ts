import type { Day } from '../../../src/core/model/day.ts';
import type { Outcome, Problem } from '../../../src/core/model/problem.ts';
import { check } from '../../../src/core/run/synth/check.ts';
import { pruneReleased } from '../../../src/core/run/synth/prune.ts';
import { synth } from '../../../src/core/run/synth/synth.ts';
import { sanitizedJson } from '../../../src/core/text/print/escape.ts';
import { openForReading, openForWriting } from '../../../src/core/world/disk/disk-tree.ts';
import { openRepository } from '../../../src/core/world/git/git-repository.ts';
import { listHolders } from '../../../src/lib/list/list.ts';
import { noHistory } from '../trees/memory-tree.ts';

/** `leasehold synth` in this process, on the real disk: its problems. */
export async function synthHere(
  root: string,
  today: string,
  { inGit = false, allowRelease = undefined as number | undefined } = {},
): Promise<readonly Problem[]> {
  const tree = await openForWriting(root);
  try {
    const history = inGit ? openRepository(root).history : noHistory;
    return problemsOf(
      await synth(tree, history, { today: today as Day, releases: { allowed: allowRelease } }),
    );
  } finally {
    tree.close();
  }
}

/** `leasehold prune` in this process: its problems. */
export async function pruneHere(root: string, today: string): Promise<readonly Problem[]> {
  const tree = await openForWriting(root);
  try {
    return problemsOf(await pruneReleased(tree, noHistory, { today: today as Day }));
  } finally {
    tree.close();
  }
}

/** `leasehold check` in this process: its problems. */
export async function checkHere(root: string): Promise<readonly Problem[]> {
  return problemsOf(await check(openForReading(root), noHistory));
}

/** `leasehold list -o json` in this process; its problems as text when it has some. */
export async function listHere(root: string): Promise<string> {
  const outcome = await listHolders(openForReading(root), noHistory, '2026-11-20' as Day);
  return outcome.ok ? sanitizedJson(outcome.value.list) : JSON.stringify(outcome.problems);
}

function problemsOf(outcome: Outcome<unknown>): readonly Problem[] {
  return outcome.ok ? [] : outcome.problems;
}
