import { rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionStep, runStep } from '../support/forge/ci-kit.ts';
import { gitlabKit, jobFolder, runGitlabJob } from '../support/forge/gitlab-job.ts';
import {
  addLease,
  type Checkout,
  checkout,
  leaseAdded,
  today,
} from '../support/repositories/ci-checkout.ts';
import {
  artifactNames,
  artifactTraps,
  putHostileFiles,
} from '../support/repositories/hostile-files.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';
import { putFile, snapshot, tempTree } from '../support/trees/temp-tree.ts';

/** The scripts of the CI kit in a checkout whose author wants them to write elsewhere, or to run other code. */
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

/** The inputs of the action, as GitHub evaluates them in a pull request to main. */
const actionInputs = {
  "inputs.base || github.event.merge_group.base_sha || (github.base_ref && format('refs/remotes/origin/{0}', github.base_ref))":
    'refs/remotes/origin/main',
  'inputs.directory': '.',
  'inputs.formats': 'github markdown html sarif page',
  'inputs.proofs': 'true',
  'inputs.resolver': '',
};

interface Hostile extends Checkout {
  /** What is outside of the checkout: files that must not change, and the marker that hostile code makes. */
  readonly outside: string;
}

/** A merge request whose lease has no manifests, with a trap for the job that finds that. */
async function hostile(trap: keyof typeof artifactTraps, isSynthesized: boolean): Promise<Hostile> {
  const outside = tempTree({ 'plan.json': 'theirs', 'plan.html': 'theirs' });
  const made = await checkout({
    isSynthesized,
    change: (root) => {
      addLease(root);
      putHostileFiles(root, join(outside, 'marker'));
      artifactTraps[trap]?.(root, outside);
    },
  });
  return { ...made, outside };
}

function variables({ base, repository }: Hostile) {
  return {
    CI_COMMIT_SHA: repository.git('rev-parse', 'HEAD').trim(),
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base,
  };
}

const untouched = { 'plan.json': 'theirs', 'plan.html': 'theirs' };

describe.each(['bash', 'sh'] as const)("GitLab's job under %s", (shell) => {
  // The traps are of the script, and not of the shell: sh plays one of them.
  const isUsual = (trap: string): boolean => shell === 'bash' || trap === 'a link';
  test.each(inScope(Object.keys(artifactTraps), isUsual))(
    'writes its own folder and nothing else where the author committed %s, and fails for a problem',
    async (trap) => {
      const isSynthesized = trap === 'a file';
      const made = await hostile(trap, isSynthesized);
      const before = snapshot(made.root);

      const ended = await runGitlabJob(
        { program, name: 'leasehold-plan', cwd: made.root, shell },
        variables(made),
      );

      expect([ended.status, ended.log]).toEqual([
        isSynthesized ? 0 : 1,
        expect.stringContaining(isSynthesized ? 'are allowed' : 'STALE'),
      ]);
      expect(snapshot(made.outside)).toEqual(untouched);
      const artifact = snapshot(join(made.root, 'leasehold-plan'));
      const texts = artifactNames.map(
        (name) => expect.stringMatching(`^(?!theirs)(?:.|\n){9}`) && name,
      );
      expect(Object.keys(artifact).sort()).toEqual(texts.toSorted());
      expect(Object.values(artifact)).not.toContain('other');
      rmSync(join(made.root, 'leasehold-plan'), { recursive: true });
      expect(snapshot(made.root)).toEqual(withoutArtifact(before));
    },
  );
});

function withoutArtifact(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !/^leasehold-plan(?:\/|$)/.test(path)),
  );
}

test("GitLab's jobs take nothing from the merge request, from earlier jobs or from caches", async () => {
  const { '.leasehold': shared, 'leasehold-plan': plan, 'leasehold-comment': comment } = gitlabKit;
  const clone = { GIT_STRATEGY: 'clone', GIT_CHECKOUT: 'false', GIT_SUBMODULE_STRATEGY: 'none' };
  expect({ ...shared?.variables, ...comment?.variables }).toMatchObject(clone);
  expect(plan).toMatchObject({ needs: [], extends: '.leasehold' });
  expect(plan).not.toHaveProperty('variables');
  expect(comment?.needs).toEqual([{ job: 'leasehold-plan', artifacts: true }]);
  const runsNothing = ['interruptible', 'retry', 'tags', 'timeout'];
  expect(shared?.inherit?.default.filter((key) => !runsNothing.includes(key))).toEqual([]);
  const made = await hostile('a link', false);
  const cwd = jobFolder(made);
  const ended = await runGitlabJob({ program, name: 'leasehold-plan', cwd }, variables(made));
  expect(ended).toMatchObject({ status: 1 });
  expect(snapshot(made.outside)).toEqual(untouched);
  const names = Object.keys(snapshot(cwd)).filter((path) => !/^\.git(?:\/|$)/.test(path));
  expect(names).toEqual(
    ['leasehold-plan', ...artifactNames.map((name) => `leasehold-plan/${name}`)].sort(),
  );
});

test("GitLab's comment follows no link of an artifact", async () => {
  const made = await leaseAdded();
  const cwd = jobFolder(made);
  const secret = join(tempTree({ secret: 'hunter2' }), 'secret');
  putFile(cwd, 'leasehold-plan/here', '');
  symlinkSync(secret, join(cwd, 'leasehold-plan/plan.json'));
  const place = { program, name: 'leasehold-comment', cwd };
  const { status, log } = await runGitlabJob(place, {
    CI_COMMIT_SHA: made.head,
    GITLAB_TOKEN: 'x',
    CI_API_V4_URL: 'http://127.0.0.1:1',
    CI_MERGE_REQUEST_PROJECT_PATH: 'acme/leases',
    CI_MERGE_REQUEST_IID: '7',
  });
  expect([status, log]).toEqual([74, expect.stringContaining('plan.json')]);
  expect(log).not.toContain('hunter2');
});

test("GitHub's action writes nothing into the checkout and runs nothing of it", async () => {
  const made = await hostile('a link', false);
  const before = snapshot(made.root);
  const action = dirname(program.build);
  const env = { GITHUB_ACTION_PATH: action, HOME: tempTree(), LEASEHOLD_TODAY: today };
  const running = { cwd: made.root, env };
  const ran = await runStep(actionStep('Check and plan'), running, actionInputs);
  expect(ran).toMatchObject({ status: 0, outputs: { status: '1', verdict: 'blocked' } });
  expect(snapshot(made.outside)).toEqual(untouched);
  expect(snapshot(made.root)).toEqual(before);
});

test("GitHub's action judges no other folder than the one that it is given", async () => {
  const made = await checkout({
    change: (root) => {
      addLease(root);
      symlinkSync('.', join(root, 'infra'));
      putFile(root, 'real/README.md', '');
    },
  });
  const env = { GITHUB_ACTION_PATH: dirname(program.build), LEASEHOLD_TODAY: today };
  const statusIn = async (directory: string) => {
    const inputs = { ...actionInputs, 'inputs.directory': directory };
    return (await runStep(actionStep('Check and plan'), { cwd: made.root, env }, inputs)).status;
  };
  for (const directory of ['infra', 'infra/real']) {
    expect([directory, await statusIn(directory)]).toEqual([directory, 64]);
  }
  expect(await statusIn('./')).toBe(0);
});
