import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checkout } from '../repositories/ci-checkout.ts';
import { today } from '../repositories/ci-checkout.ts';
import type { BuiltProgram } from '../run/built-program.ts';
import { tempTree } from '../trees/temp-tree.ts';
import { type Ran, readKit, runStep, type Workflow } from './ci-kit.ts';
import { versionOf } from './gitlab-job.ts';

const giteaKit = readKit<Workflow>('docs/ci/gitea/leasehold.yml');

/** Where a run of the workflow is, and what its runner knows. */
export interface GiteaRun {
  readonly program: BuiltProgram;
  /** The folder of the server, with `acme/leases.git`. */
  readonly server: string;
  /** The last commit of pull request 7 when its event came. */
  readonly head: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server with the repository of a pull request, which has the number 7. */
export function giteaServer({ repository, head }: Checkout): string {
  const server = tempTree();
  const root = join(server, 'acme/leases.git');
  mkdirSync(dirname(root), { recursive: true });
  const origin = repository.git('remote', 'get-url', 'origin').trim();
  repository.git('clone', '-q', '--bare', origin, root);
  repository.git('-C', root, 'update-ref', 'refs/pull/7/head', head);
  return server;
}

/**
 * Runs the steps of the workflow in their order as the runner of Gitea or Forgejo does: after a
 * failure only those that always run. Returns what each printed, by its name.
 */
export async function runGiteaJob({ program, server, head, env }: GiteaRun) {
  const cwd = tempTree();
  const variables = join(tempTree({ env: '' }), 'env');
  const event = join(
    tempTree({ 'event.json': JSON.stringify({ pull_request: { number: 7 } }) }),
    'event.json',
  );
  const expressions = {
    'github.event.pull_request.number': '7',
    'github.event.pull_request.head.sha': head,
    'github.token': 'fake-token',
  };
  const ran: Record<string, Ran> = {};
  let hasFailed = false;
  for (const step of giteaKit.jobs.plan?.steps ?? []) {
    if (hasFailed && step.if !== 'always()') continue;
    const kept = readFileSync(variables, 'utf8').split('\n').slice(0, -1);
    const running = {
      ...{
        GITHUB_ACTIONS: 'true',
        GITEA_ACTIONS: 'true',
        LEASEHOLD_TODAY: today,
        HOME: tempTree(),
      },
      ...{ GITHUB_ENV: variables, GITHUB_EVENT_PATH: event, GITHUB_REF: 'refs/heads/main' },
      ...{ GITHUB_SERVER_URL: `file://${server}`, GITHUB_REPOSITORY: 'acme/leases' },
      GITHUB_BASE_REF: 'main',
      ...versionOf(program),
      ...env,
      ...Object.fromEntries(kept.map((line) => line.split(/=(.*)/s, 2))),
    };
    const done = await runStep(step, { cwd, env: running }, expressions);
    ran[step.name ?? ''] = done;
    hasFailed ||= done.status !== 0;
  }
  return { ran, hasFailed, cwd };
}
