import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Day } from '../../src/core/model/day.ts';
import { domainProofPath, printDomainProof } from '../../src/core/records/domain-proof-file.ts';
import { readPlanJson } from '../../src/core/run/plan/plan-answer.ts';
import { fakeDns } from '../support/dns/fake-dns.ts';
import {
  actionStep,
  commandsIn,
  programs,
  type Ran,
  type Running,
  runStep,
} from '../support/forge/ci-kit.ts';
import {
  addLease,
  type Checkout,
  checkout,
  leaseAdded,
  today,
} from '../support/repositories/ci-checkout.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';
import { putFile, snapshot, tempTree } from '../support/trees/temp-tree.ts';

/*
 * The scripts of action.yml, run as GitHub runs them against real repositories, with the names that
 * strangers could give things.
 */
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

const baseExpression =
  "inputs.base || github.event.merge_group.base_sha || (github.base_ref && format('refs/remotes/origin/{0}', github.base_ref))";

interface Inputs {
  readonly base: string;
  readonly formats?: string;
  readonly directory?: string;
  readonly proofs?: string;
  readonly resolver?: string;
}

function runPlan({ root }: Checkout, { base, ...inputs }: Inputs): Promise<Ran> {
  const running = {
    cwd: root,
    env: {
      GITHUB_ACTION_PATH: dirname(program.build),
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/leases',
      LEASEHOLD_TODAY: today,
    },
  };
  return runStep(actionStep('Check and plan'), running, {
    [baseExpression]: base,
    'inputs.directory': inputs.directory ?? '.',
    'inputs.formats': inputs.formats ?? 'github markdown html sarif page',
    'inputs.proofs': inputs.proofs ?? 'true',
    'inputs.resolver': inputs.resolver ?? '',
  });
}

/** An annotation with a place and a title, and no other command. */
const annotation = /^::(error|warning|notice) (file=[^:,]+,)?(line=\d+,)?(col=\d+,)?title=[^:,]+::/;

/** Every file that a script of a stranger would have made: none. */
function pwned(root: string): readonly string[] {
  const found = snapshot(root);
  return Object.keys(found).filter((path) => /(^|\/)pwned$/.test(path));
}

describe('check and plan', () => {
  test('a pull request that adds a lease gets its plan in every format', async () => {
    const made = await leaseAdded();
    const ran = await runPlan(made, { base: 'refs/remotes/origin/main' });
    expect(ran).toMatchObject({ status: 0, outputs: { status: '0', verdict: 'routine' } });
    const folder = ran.outputs.folder ?? '';
    expect(Object.keys(snapshot(folder))).toEqual([
      'page.html',
      'plan.html',
      'plan.json',
      'plan.sarif',
    ]);
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('id="before"');
    const plan = readPlanJson(readFileSync(join(folder, 'plan.json')));
    expect(plan).toMatchObject({
      ok: true,
      value: { verdict: 'routine', summary: ran.outputs.summary },
    });
    expect(plan.ok && plan.value.head.parents).toEqual([made.base, made.head]);
    expect(ran.summary).toContain(ran.outputs.summary?.split(' ')[0]);
    expect(ran.summary).toContain('https://github.com/acme/leases/blob/');
  });

  test('a pull request with a problem fails only after its plan is there', async () => {
    const made = await leaseAdded(false);
    const ran = await runPlan(made, { base: 'refs/remotes/origin/main' });
    expect(ran).toMatchObject({ status: 0, outputs: { status: '1', verdict: 'blocked' } });
    expect(commandsIn(ran.log).some((line) => line.startsWith('::error '))).toBe(true);
    const result = actionStep('Result');
    const value = { 'steps.plan.outputs.status': ran.outputs.status ?? '' };
    expect((await runStep(result, { cwd: made.root, env: {} }, value)).status).toBe(1);
  });

  test('a change that may not follow from the base fails as blocked or as a problem', async () => {
    const made = await checkout({
      change: (root) => {
        const file = 'leases/allocations/194.28.98/194.28.98.217.yaml';
        const text = readFileSync(join(root, file), 'utf8');
        putFile(root, file, text.replace('since: 2026-11-20', 'since: 2026-11-19'));
      },
      isSynthesized: false,
    });
    const ran = await runPlan(made, { base: 'refs/remotes/origin/main' });
    expect(ran.status).toBe(0);
    expect(ran.outputs).toMatchObject({ status: '1', verdict: 'blocked' });
    expect(ran.log).toContain('ALLOCATION_FORGED');
  });

  test('a proof without its DNS record fails, unless the proofs are not looked up', async () => {
    const proof = { domain: 'shop.example.com', holder: 'default/namespace/shop' };
    const text = printDomainProof({ ...proof, checked: '2026-11-20' as Day, at: undefined });
    const made = await checkout({ change: (root) => putFile(root, domainProofPath(proof), text) });
    const dns = await fakeDns();
    const inputs = { base: made.base, formats: 'markdown', resolver: dns.server };

    const forged = await runPlan(made, inputs);
    const unasked = await runPlan(made, { ...inputs, proofs: 'false' });
    dns.records.set('_leasehold.shop.example.com', ['leasehold=default/namespace/shop']);
    const proven = await runPlan(made, inputs);

    expect(forged.outputs).toMatchObject({ status: '1', verdict: 'caution' });
    expect(forged.log).toContain('PROOF_GONE');
    expect(unasked.outputs).toMatchObject({ status: '0', verdict: 'caution' });
    expect(proven.outputs).toMatchObject({ status: '0', verdict: 'caution' });
    expect(proven.log).toContain('1 proof holds');
  });

  test('a merge group is compared with the commit it is built on', async () => {
    const made = await leaseAdded();
    const ran = await runPlan(made, { base: made.base, formats: 'markdown' });
    expect(ran.outputs).toMatchObject({ status: '0', verdict: 'routine' });
  });

  test('a push has nothing to compare with and is checked', async () => {
    const made = await leaseAdded();
    const ran = await runPlan(made, { base: '' });
    expect(ran).toMatchObject({ status: 0, outputs: { status: '0' }, summary: '' });
    expect(Object.keys(ran.outputs)).toEqual(['status']);
  });

  test('a base that is not there is a sentence and exit status 74, and no plan', async () => {
    const made = await leaseAdded();
    const ran = await runPlan(made, { base: 'refs/remotes/origin/nowhere' });
    expect(ran).toMatchObject({ status: 0, outputs: { status: '74' } });
    expect(ran.log).toContain("git knows no commit 'refs/remotes/origin/nowhere'");
  });

  test('an unknown format is refused', async () => {
    const made = await leaseAdded();
    const ran = await runPlan(made, { base: made.base, formats: '* markdown' });
    expect(ran.status).toBe(64);
    expect(commandsIn(ran.log)).toEqual([
      '::error::The input formats knows github, markdown, html, sarif and page.',
    ]);
  });
});

describe('names that strangers give', () => {
  // Git takes no space in the name of a branch.
  const space = '$'.concat('{IFS}');

  const names = [
    `$(touch${space}pwned)`,
    `--upload-pack=touch${space}pwned`,
    `a;touch${space}pwned`,
    `\`touch${space}pwned\``,
  ];
  test.each(inScope(names, (name) => names.indexOf(name) < 2))(
    'a branch called %s is a branch',
    async (name) => {
      const change = (root: string) => addLease(root);
      const made = await checkout({ change, target: name, branch: `x${name}` });
      const base = `refs/remotes/origin/${name}`;
      const ran = await runPlan(made, { base, formats: 'markdown' });
      expect(ran.outputs).toMatchObject({ status: '0', verdict: 'routine' });
      expect(pwned(made.root)).toEqual([]);
    },
  );

  test('an input that looks like an option or a script is a value', async () => {
    const made = await leaseAdded();
    const name = '--output=$(touch pwned)';
    const ran = await runPlan(made, { base: name, directory: name, formats: name });
    expect(ran.outputs).toEqual({ status: '74' });
    expect(pwned(made.root)).toEqual([]);
  });

  const folders = [
    '<img src=x onerror=alert(1)> $(touch pwned)',
    '[x](https://evil.example) **b** | @everyone',
    ':: ::set-output name=verdict::owned',
    '::add-mask::x %0A::set-env name=A::b',
    '```\u2028</details><script>',
  ];

  test('folders are shown and not obeyed', async () => {
    const change = (root: string) => {
      for (const folder of folders) addLease(root, folder);
    };
    const made = await checkout({ change });
    const ran = await runPlan(made, { base: made.base });
    expect(ran.outputs).toMatchObject({ status: '1', verdict: 'blocked' });
    expect(ran.summary).toContain('onerror');
    shownOnly(made, ran);
  });

  const services = [
    '<script>alert(1)</script>',
    'x\n::error::owned\n::set-output name=verdict::owned',
    '$(touch pwned)`touch pwned`',
    '![x](https://evil.example/x.png)',
    '##[set-output name=verdict]owned',
  ];

  test('services are shown and not obeyed', async () => {
    const change = (root: string) => {
      for (const [index, service] of services.entries()) addLease(root, `f${index}`, service);
    };
    const made = await checkout({ change, isSynthesized: false });
    const ran = await runPlan(made, { base: made.base });
    expect(ran.outputs).toMatchObject({ status: '1', verdict: 'blocked' });
    expect(ran.log).toContain('::set-output name=verdict::owned');
    expect(commandsIn(ran.log).length).toBeGreaterThan(3);
    shownOnly(made, ran);
  });

  /** Nothing ran, nothing was commanded, and nothing came to life in the summary. */
  function shownOnly(made: Checkout, ran: Ran): void {
    expect(ran.status).toBe(0);
    expect(pwned(made.root)).toEqual([]);
    expect(Object.keys(ran.outputs).sort()).toEqual(['folder', 'status', 'summary', 'verdict']);
    for (const line of commandsIn(ran.log)) expect(line).toMatch(annotation);
    const html = micromark(ran.summary, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
    expect(html).not.toMatch(/<(script|img|iframe)/);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
    for (const link of links) expect(link).toMatch(/^https:\/\/github\.com\/acme\/leases\/blob\//);
    const page = readFileSync(join(ran.outputs.folder ?? '', 'plan.html'), 'utf8');
    expect(page).not.toMatch(/<(script|img|iframe)/);
  }
});

/** Runs the step as `uses: acme/leasehold@v0.1.0` does. */
function getLeasehold(running: Running, sha256 = ''): Promise<Ran> {
  return runStep(actionStep('Get leasehold'), running, {
    'inputs.sha256': sha256,
    'github.action_repository': 'acme/leasehold',
    'github.action_ref': 'v0.1.0',
  });
}

/** A forge with the tarball of a release, its digest, and a step that runs on it. */
function releasedAction() {
  const server = tempTree({ 'package/build/src/cli/main.js': 'the program\n' });
  const release = join(server, 'acme/leasehold/releases/download/v0.1.0');
  mkdirSync(release, { recursive: true });
  const tarball = join(release, 'leasehold-0.1.0.tgz');
  execFileSync('tar', ['-czf', tarball, '-C', server, 'package']);
  const action = tempTree({ 'package.json': '{}' });
  const env = { GITHUB_ACTION_PATH: action, GITHUB_SERVER_URL: `file://${server}` };
  const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  return { action, sha256, running: { cwd: tempTree(), env } };
}

test('leasehold is unpacked from the release of the version of the action, with the digest that is given', async () => {
  const { action, sha256, running } = releasedAction();
  for (const given of ['', sha256]) {
    expect(await getLeasehold(running, given)).toMatchObject({ status: 0, log: '' });
    expect(readFileSync(join(action, 'build/src/cli/main.js'), 'utf8')).toBe('the program\n');
  }
});

test('a release with another digest is refused, and nothing of it is unpacked', async () => {
  const { action, sha256, running } = releasedAction();
  for (const given of ['0'.repeat(64), sha256.slice(1), 'nonsense']) {
    const { status, log } = await getLeasehold(running, given);
    expect([status, log]).toEqual([1, expect.stringContaining('sha256sum: ')]);
  }
  expect(Object.keys(snapshot(action))).toEqual(['package.json']);
});

test('with a digest and no release, nothing is built', async () => {
  const { action, running, sha256 } = releasedAction();
  const env = { ...running.env, GITHUB_SERVER_URL: `file://${tempTree()}` };
  const { status, log } = await getLeasehold({ ...running, env }, sha256);
  expect([status, commandsIn(log)]).toEqual([
    74,
    [expect.stringMatching(/^::error::The input sha256/)],
  ]);
  expect(Object.keys(snapshot(action))).toEqual(['package.json']);
});

test('without a release, leasehold is built from the checkout of the action, and no script of a package runs', async () => {
  const folder = programs({ npm: 'echo "$PWD npm $*"' });
  const action = tempTree({ 'package.json': '{}' });
  const cwd = tempTree({
    '.npmrc': 'ignore-scripts=false',
    'package.json': '{"scripts":{"build":"touch pwned"}}',
  });
  const env = {
    GITHUB_ACTION_PATH: action,
    GITHUB_SERVER_URL: `file://${tempTree()}`,
    PATH: `${folder}:${process.env.PATH}`,
  };
  const { status, log } = await getLeasehold({ cwd, env });
  expect(status).toBe(0);
  expect(log.split('\n').slice(0, -1)).toEqual([
    `${action} npm ci --ignore-scripts --no-audit --no-fund`,
    `${action} npm run build`,
  ]);
});
