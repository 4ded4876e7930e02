// @module-tag counted

import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { operationKinds } from '../../support/plans/operation-kinds.ts';
import {
  beginning,
  type PullRequestKind,
  pullRequestKinds,
} from '../../support/plans/pull-request-kinds.ts';
import { sample, scope } from '../../support/run/scope.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';
import { tenantKinds } from '../../support/plans/tenant-kinds.ts';
import { filesBelow, turnInto } from '../../support/trees/tree-bytes.ts';

/*
 * Pull requests in a real git repository, and what `leasehold plan` says of each, in every format but
 * html, which formats/ has. A folder of changes/ for each; UPDATE_GOLDEN=1 with TEST_SCOPE=full
 * writes them anew.
 */
const folder = resolve(import.meta.dirname, 'changes');
const update = process.env.UPDATE_GOLDEN === '1';

const formats = {
  text: 'plan.txt',
  markdown: 'plan.md',
  json: 'plan.json',
  sarif: 'plan.sarif',
  github: 'plan.github.txt',
  gitlab: 'plan.gitlab.json',
} as const;

async function pullRequest({ make, base }: PullRequestKind): Promise<LeaseCheckout> {
  const checkout = await beginning();
  if (base === 'empty') emptyBase(checkout);
  await make(checkout);
  return checkout;
}

/** A commit without any of our files, from which the pull request comes. */
function emptyBase({ repository }: LeaseCheckout): void {
  const tree = repository.git('mktree').trim();
  const commit = repository.git('commit-tree', '-m', 'Empty', tree).trim();
  repository.git('branch', 'empty', commit);
  repository.git('reset', '-q', '--soft', 'empty');
}

async function plansOf(checkout: LeaseCheckout, { name: kind, base = 'main' }: PullRequestKind) {
  const made = new Map<string, string>();
  const statuses = new Set<number>();
  const plan = async (format: string, ...source: readonly string[]): Promise<string> => {
    const { status, out, err } = await checkout.run('plan', ...source, '-o', format);
    expect(err).toBe('');
    statuses.add(status);
    made.set(`${kind}/${formats[format as keyof typeof formats]}`, out);
    return out;
  };
  const fromGit = ['--base', base, '--manifests'];
  const json = await plan('json', ...fromGit);
  const file = join(tempTree({ 'plan.json': json }), 'plan.json');
  // The other formats come from the JSON, as a comment's does; in a full run all of them come from git.
  const source = scope === 'full' ? fromGit : ['--from', file, '--manifests'];
  for (const format of Object.keys(formats)) if (format !== 'json') await plan(format, ...source);
  return { made, statuses: [...statuses] };
}

describe.each(sample([...pullRequestKinds, ...tenantKinds, ...operationKinds], 8))('$name', (kind) => {
  test(`opens with: ${kind.opens}`, async () => {
    const checkout = await pullRequest(kind);
    const { made, statuses } = await plansOf(checkout, kind);
    const [opening] = (made.get(`${kind.name}/plan.txt`) ?? '').split('\n');
    expect([opening, statuses]).toEqual([expect.stringContaining(kind.opens), [kind.status]]);
    const expectedOf = () => filesBelow(folder, [kind.name]);
    if (update && scope === 'full' && !process.env.CI) turnInto(folder, expectedOf(), made);
    const expected = expectedOf();
    expect([...made.keys()].sort()).toEqual([...expected.keys()].sort());
    // The JSON has no lines of files to quote.
    const shown = (text = '') => (scope === 'full' ? text : withoutQuotes(text));
    for (const [path, text] of made) expect(text, path).toBe(shown(expected.get(path)));
  });
});
