import type { Forge } from '../../../src/core/model/forges/forges.ts';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { sanitizedJson } from '../../../src/core/text/print/escape.ts';
import { aChange, aManifest, aPlan } from '../plans/plan-builders.ts';
import { type Finished, runInProcess } from '../run/run-in-process.ts';
import { tempTree } from '../trees/temp-tree.ts';

/** The newest commit of the fake's pull request. */
export const head = 'a'.repeat(40);

/** A plan that is too long for one short comment. */
export const plan: Plan = aPlan({
  verdict: 'routine',
  head: { commit: head, day: '2026-11-20', parents: [] },
  addresses: [aChange({ at: { side: 'head', file: 'leases/shop/web.yaml', line: 1 } })],
  manifests: Array.from({ length: 40 }, (_, index) =>
    aManifest({
      path: `default/${index}/x.yaml`,
      holder: `default/service/shop/web-${index}`,
      diff: `@@ -0,0 +1,60 @@\n${'+line of a manifest\n'.repeat(60)}`,
    }),
  ),
});

const token = { GITHUB_TOKEN: 'fake-token', GITLAB_TOKEN: 'fake-token' };

const marks = {
  github: {},
  gitea: { GITEA_ACTIONS: 'true' },
  forgejo: { GITEA_ACTIONS: 'true', FORGEJO_ACTIONS: 'true' },
};

/** A folder with {@link plan} as `plan.json`. */
export function planFolder(): string {
  return tempTree({ 'plan.json': sanitizedJson(plan) });
}

/** Runs `leasehold comment --plan plan.json`. */
export function comment(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = planFolder(),
): Promise<Finished> {
  return runInProcess(['comment', '--plan', 'plan.json', ...argv], cwd, env);
}

/** The variables that a job for pull request 7 has. */
export function jobOf(kind: Forge, api: string): Record<string, string> {
  if (kind === 'gitlab') {
    return {
      ...token,
      GITLAB_CI: 'true',
      CI_API_V4_URL: api,
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/leases',
      CI_MERGE_REQUEST_IID: '7',
    };
  }
  return {
    ...token,
    ...marks[kind],
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: 'acme/leases',
    GITHUB_REF: `refs/pull/7/${kind === 'github' ? 'merge' : 'head'}`,
  };
}
