import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { emptyRepository, init, leasehold, profiles, repo } from '../../support/run/init-run.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, filesOf, putFile, snapshot, tempTree } from '../../support/trees/temp-tree.ts';

type ProfileName = keyof typeof profiles;
const names = Object.keys(profiles) as ProfileName[];

/** The errors of a YAML file by its schema, as in an editor. */
function schemaErrors(root: string, path: string): unknown {
  const text = readFileSync(join(root, path), 'utf8');
  const [, schema = ''] = /\$schema=\S*\/(docs\/schemas\/\S+)/.exec(text) ?? [];
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(resolve(schema), 'utf8')),
  );
  validate(parse(text));
  return validate.errors;
}

describe.each(names)('leasehold init as %s', (name) => {
  const words = profiles[name];

  test('writes a repository that passes check, and a branch that passes plan', {
    tags: 'slow',
  }, async () => {
    const root = emptyRepository();
    const { status, out, err } = await init(root, ...words);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^no address changes; 0 held; \d+ files written, 0 removed\n\nnext:\n/m);
    expect(out).not.toMatch(/^(?:same|kept|differs|replaced) /m);
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
    const repository = gitRepository(root);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'The beginning');
    expect(repository.git('status', '--porcelain')).toBe('');
    repository.git('checkout', '-q', '-b', 'topic');

    // The steps in the README for the example.
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, from = ''] = /\[an example\]\((\S+)\)/.exec(readme) ?? [];
    const to = from.replace('examples/', 'leases/');
    putFile(root, to, readFileSync(join(root, from), 'utf8'));
    const synth = await runInProcess(['synth', '--today', '2026-01-10'], root);
    expect(synth).toMatchObject({ status: 0, out: expect.stringContaining('1 allocated') });
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'A lease');
    const base = ['--base', 'main', '--today', '2026-01-10'];
    expect(await runInProcess(['check', ...base], root)).toMatchObject({ status: 0 });
    expect(await runInProcess(['plan', ...base], root)).toMatchObject({
      status: 0,
      out: expect.stringContaining('Routine: '),
    });
    for (const path of ['leases/pools.yaml', 'leases/policy.yaml', from]) {
      expect({ path, errors: schemaErrors(root, path) }).toEqual({ path, errors: null });
    }
  });

  test('changes nothing the second time, with the same options or fewer', {
    tags: 'slow',
  }, async () => {
    const root = emptyRepository();
    await init(root, ...words);
    const before = content(root);
    const again = await init(root, ...words);
    expect(again.out).not.toMatch(/^(?:new|differs|replaced) /m);
    expect(content(root)).toEqual(before);
    const fewer = await init(root, ...words.slice(-2));
    expect(fewer.out).toMatch(/^kept +leases\/pools\.yaml +unchanged$/m);
    expect(content(root)).toEqual(before);
    const fewest = await init(root);
    expect(fewest.out).toBe(fewer.out);
    expect(content(root)).toEqual(before);
  });

  test.each([
    ['no JSON', '{'],
    ['a version of the registry', '{ "devDependencies": { "leasehold": "1.0.0" } }'],
    [
      'a range of versions of a copy',
      '{ "devDependencies": { "leasehold": "git+https://github.com/acme/l.git#semver:^0.1.0" } }',
    ],
    ['a list', '{ "devDependencies": ["leasehold"] }'],
  ])('requires a source when package.json has %s', async (_, text) => {
    const root = emptyRepository({ 'package.json': text });
    const { status, err } = await init(root, '--for', 'platform', '--pool', 'p=203.0.113.0/28');
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: init --yes needs --leasehold SOURCE\n',
    });
  });

  test('leaves no placeholder to fill in', async () => {
    const root = emptyRepository();
    await init(root, ...words);
    const texts = Object.entries(filesOf(content(root))).filter(
      ([path]) => !path.startsWith('.git/'),
    );
    const gaps = texts.filter(([, text]) => /\bOWNER\b|0{40}|git\.example\.com/.test(text));
    expect(gaps.map(([path]) => path)).toEqual([]);
  });
});

describe('the layout', () => {
  test.each([
    ['pool', [], 'dist/default/leasehold-admission.yaml'],
    ['lease', ['--layout', 'lease'], undefined],
  ])('is %s with the options %j', async (layout, words, admission) => {
    const root = emptyRepository();
    await init(root, ...profiles.minimal, ...words);
    const tree = content(root);
    expect(tree['leases/pools.yaml']).toContain(`layout: ${layout} }`);
    expect(Object.keys(tree).find((path) => path.includes('admission'))).toBe(admission);
  });
});

describe('the objects of an engine', () => {
  test('for Argo CD equal the output of leasehold gitops', async () => {
    const root = emptyRepository();
    await init(root, ...profiles['akash-argocd-github']);
    const { out } = await runInProcess(['gitops', 'argocd', '--repo', repo], root);
    expect(content(root)['gitops/argocd.yaml']).toBe(out);
  });

  test.each(['east', 'west'])(
    'of Flux in %s are those that leasehold gitops prints',
    async (cluster) => {
      const root = emptyRepository();
      await init(root, ...profiles['platform-flux-gitlab']);
      const words = [
        '--repo',
        repo,
        '--secret',
        'leases',
        '--branch',
        'trunk',
        '--cluster',
        cluster,
      ];
      const { out } = await runInProcess(['gitops', 'flux', ...words], root);
      expect(content(root)[`gitops/flux-${cluster}.yaml`]).toBe(out);
    },
  );

  test('use the path of a folder in its repository', async () => {
    const root = emptyRepository({ 'network/keep': '' });
    const words = [...profiles.minimal, '--engine', 'flux', '--repo', repo];
    expect(await init(root, '-C', 'network', ...words)).toMatchObject({ status: 0 });
    expect(content(root)['network/gitops/flux.yaml']).toContain('path: "./network/dist/default"');
    const github = ['--forge', 'github', '--leasehold', leasehold];
    const { status, err } = await init(root, '-C', 'network', ...words, ...github);
    expect({ status, err }).toEqual({
      status: 64,
      err: expect.stringContaining('at the top of its repository, and this is network/'),
    });
  });
});

describe('outside of git', () => {
  test('suggests creating a repository, or creates one', async () => {
    const [told, made] = [tempTree(), tempTree()];
    expect((await init(told, ...profiles.minimal)).out).toContain(
      '  git init --initial-branch=main\n  git remote add origin URL\n',
    );
    expect(content(told)).not.toHaveProperty('.git');
    const words = [...profiles.minimal, '--branch', 'trunk', '--git-init'];
    const flux = ['--engine', 'flux', '--repo', 'https://github.com/acme/leases.git'];
    const { out } = await init(made, ...words, ...flux);
    expect(out).not.toContain('git init');
    expect(out).toContain('\nnext:\n  git remote add origin https://github.com/acme/leases.git\n');
    expect(content(made)['.git/HEAD']).toBe('ref: refs/heads/trunk\n');
    expect(await runInProcess(['check'], made)).toMatchObject({ status: 0 });
  });
});

describe('in a folder other than the current one', () => {
  const nextFrom = async (cwd: string, folder: string): Promise<string | undefined> => {
    mkdirSync(join(cwd, folder), { recursive: true });
    const { out } = await runInProcess(['init', '--yes', '-C', folder, ...profiles.minimal], cwd);
    return out.split('\nnext:\n')[1]?.split('  git ')[0];
  };

  test('the next steps go there first, and take the tarball along unless it is there', async () => {
    const top = tempTree();
    expect(await nextFrom(top, 'new')).toBe('  cd new\n');
    putFile(top, 'leasehold-0.1.0.tgz', '');
    expect(await nextFrom(top, 'my leases')).toBe(
      "  cp ./leasehold-0.1.0.tgz 'my leases'/\n  cd 'my leases'\n",
    );
    putFile(top, 'kept/leasehold-0.1.0.tgz', '');
    expect(await nextFrom(top, 'kept')).toBe('  cd kept\n');
    expect(await nextFrom(top, '.')).toBe('');
  });
});

describe('a bare repository', () => {
  test('is unchanged', async () => {
    const root = tempTree();
    execFileSync('git', ['init', '-q', '--bare'], { cwd: root });
    const before = snapshot(root);
    expect(await init(root, ...profiles.minimal)).toMatchObject({
      status: 74,
      err: 'leasehold: this is a bare repository: clone it, and run init in the clone\n',
    });
    expect(snapshot(root)).toEqual(before);
  });
});

describe('the ends of a block', () => {
  test.each([
    [[], 'assigns 203.0.113.0 and 203.0.113.15, at the ends of', 'add them to reserved'],
    [['--reserved', 'p=203.0.113.0'], 'assigns 203.0.113.15, at the end of', 'add it to reserved'],
  ])('with the options %j are one or two', async (words, found, step) => {
    const { out } = await init(emptyRepository(), ...profiles.minimal, ...words);
    const line = out.split('\n').find((text) => text.includes(' assigns '));
    expect(line).toContain(`${found} 203.0.113.0/28: if that is a network of its own, ${step} in`);
  });
});

describe('the first push', () => {
  const stepsOf = async (root: string, ...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await init(root, ...profiles.minimal, ...words);
    const [, steps = ''] = out.split('\nnext:\n');
    return steps.split('\n').filter((step) => /\bgit (?!add -A|commit)|merge/.test(step));
  };

  test('is from the applied branch, also when git created another one', {
    tags: 'slow',
  }, async () => {
    const root = emptyRepository();
    const repository = gitRepository(root);
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/master');
    const steps = await stepsOf(root);
    expect(steps).toEqual([
      '  git checkout -b main',
      '  git remote add origin URL',
      '  git push -u origin main',
    ]);
    repository.git('checkout', '-b', 'main');
    repository.git('remote', 'add', 'origin', 'https://git.example.com/acme/leases.git');
    expect(await stepsOf(root)).toEqual(['  git push -u origin main']);
  });

  test('of another branch suggests a merge', async () => {
    const root = emptyRepository({ x: '' });
    const repository = gitRepository(root);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'x');
    repository.git('checkout', '-q', '-b', 'topic');
    expect(await stepsOf(root)).toEqual([
      '  git remote add origin URL',
      '  git push -u origin HEAD',
      '  merge it into main, which is the branch that is applied',
    ]);
  });

  test.each(['x;id', 'x`id`', "x'y", 'x|y', 'x&y', 'x<y', '{{x}}', 'refs/heads/main'])(
    'has no branch %s: it is used in commands, also in the README',
    async (branch) => {
      const root = emptyRepository();
      const before = snapshot(root);
      expect(await init(root, ...profiles.minimal, '--branch', branch)).toMatchObject({
        status: 64,
        err: expect.stringContaining('--branch'),
      });
      expect(snapshot(root)).toEqual(before);
    },
  );
});

describe('the answer of init for programs', () => {
  const line = ['init', '--yes', ...profiles.minimal];

  test('has the files, the counts of the run and the next steps', { tags: 'slow' }, async () => {
    const root = emptyRepository({ 'package.json': '{ "name": "leases" }\n' });
    const answer = await answerOf(line, root, { schema: 'setup' });
    expect(answer).toMatchObject({
      ...{ kind: 'Setup', day: '2026-11-20', changes: [], held: '0', removed: 0 },
      files: expect.arrayContaining([
        { path: 'leases/pools.yaml', state: 'new' },
        {
          ...{ path: 'package.json', state: 'differs' },
          diff: expect.stringContaining('+++ package.json, as init writes it\n'),
        },
      ]),
      next: expect.arrayContaining(['npm install', 'git push -u origin main']),
    });
    expect(answer).not.toHaveProperty('commit');
  });

  test('has all that is printed: standard error has nothing', async () => {
    const { status, err } = await runInProcess([...line, '-o', 'yaml'], emptyRepository());
    expect([status, err]).toEqual([0, '']);
  });

  test('has the commit that it began with', async () => {
    const root = emptyRepository({ 'notes.txt': 'Notes\n' });
    const { git } = gitRepository(root);
    git('add', '-A');
    git('commit', '-q', '-m', 'Notes');
    const commit = git('rev-parse', 'HEAD').trim();
    const answer = await answerOf(line, root, { schema: 'setup' });
    expect(answer).toMatchObject({ commit, uncommitted: true });
  });

  test('is a failure with all reasons when options are wrong', async () => {
    const wrong = ['init', '--yes', '--for', 'platform', '--layout', 'x'];
    const root = emptyRepository();
    expect(await answerOf(wrong, root, { schema: 'failure', status: 64 })).toMatchObject({
      reason: expect.stringMatching(/^init --yes needs .*; --layout 'x': expected pool or lease/),
    });
  });
});
