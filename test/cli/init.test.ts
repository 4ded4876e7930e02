import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { gitRepository } from '../support/git-repository.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { runProcess } from '../support/run-process.ts';
import { emptyRepository, leasehold, profiles, repo } from '../support/setting-up.ts';
import { content, filesOf, putFile, snapshot, tempTree } from '../support/temp-tree.ts';

type ProfileName = keyof typeof profiles;
const names = Object.keys(profiles) as ProfileName[];

const init = (root: string, ...words: readonly string[]) =>
  runInProcess(['init', '--yes', ...words], root);

/** What a schema says of a YAML file, as an editor does. */
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

  test('makes a repository that check, a branch and a plan take', async () => {
    const root = emptyRepository();
    const { status, out, err } = await init(root, ...words);
    expect({ status, err }).toEqual({
      status: 0,
      err: expect.stringMatching(/^no address changes; 0 held; \d+ files written, 0 removed\n$/),
    });
    expect(out).not.toMatch(/^(?:same|kept|differs|replaced) /m);
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
    const repository = gitRepository(root);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'The beginning');
    expect(repository.git('status', '--porcelain')).toBe('');
    repository.git('checkout', '-q', '-b', 'topic');

    // What the README says of the example.
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, from = '', to = ''] = /^cp (\S+) (\S+)$/m.exec(readme) ?? [];
    putFile(root, to, readFileSync(join(root, from), 'utf8'));
    const synth = await runInProcess(['synth', '--today', '2026-01-10'], root);
    expect(synth).toMatchObject({ status: 0, err: expect.stringContaining('1 allocated') });
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

  test('adds nothing the second time, with the same words or with fewer', async () => {
    const root = emptyRepository();
    await init(root, ...words);
    const before = content(root);
    const again = await init(root, ...words);
    expect(again.out).not.toMatch(/^(?:new|differs|replaced) /m);
    expect(content(root)).toEqual(before);
    const fewer = await init(root, '--leasehold', leasehold);
    expect(fewer.out).toMatch(/^kept +leases\/pools\.yaml +stays as it is$/m);
    expect(content(root)).toEqual(before);
    const fewest = await init(root);
    expect(fewest.out).toBe(fewer.out);
    expect(content(root)).toEqual(before);
  });

  test.each([
    ['no JSON', '{'],
    ['a version of the registry', '{ "devDependencies": { "leasehold": "1.0.0" } }'],
    [
      'a branch',
      '{ "devDependencies": { "leasehold": "git+https://github.com/acme/l.git#main" } }',
    ],
    ['a list', '{ "devDependencies": ["leasehold"] }'],
  ])('asks for the commit where package.json has %s', async (_, text) => {
    const root = emptyRepository({ 'package.json': text });
    const { status, err } = await init(root, '--for', 'platform', '--pool', 'p=203.0.113.0/28');
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: init --yes needs --leasehold URL#COMMIT\n',
    });
  });

  test('names nothing that would have to be filled in', async () => {
    const root = emptyRepository();
    await init(root, ...words);
    const texts = Object.entries(filesOf(content(root))).filter(
      ([path]) => !path.startsWith('.git/'),
    );
    const gaps = texts.filter(([, text]) => /\bOWNER\b|0{40}|git\.example\.com/.test(text));
    expect(gaps.map(([path]) => path)).toEqual([]);
  });
});

describe('the objects of an engine', () => {
  test('of Argo CD are those that leasehold gitops prints', async () => {
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

  test('stand on the path of a folder in its repository', async () => {
    const root = emptyRepository({ 'network/keep': '' });
    const words = [...profiles.minimal, '--engine', 'flux', '--repo', repo];
    expect(await init(root, '-C', 'network', ...words)).toMatchObject({ status: 0 });
    expect(content(root)['network/gitops/flux.yaml']).toContain('path: "./network/dist/default"');
    const { status, err } = await init(root, '-C', 'network', ...words, '--forge', 'github');
    expect({ status, err }).toEqual({
      status: 64,
      err: expect.stringContaining('at the top of its repository, and this is network/'),
    });
  });
});

describe('files that are there', () => {
  test('stay, and what they lack is shown', async () => {
    const files = {
      'README.md': '# Ours\n',
      'package.json': '{ "name": "ours", "devDependencies": { "x": "1.0.0" } }\n',
      '.gitignore': '*.tmp',
      CODEOWNERS: '* @acme/all\n',
    };
    const root = emptyRepository(files);
    const { status, out } = await init(root, ...profiles['akash-argocd-github']);
    expect(status).toBe(0);
    expect(content(root)).toMatchObject(files);
    expect(content(root)).not.toHaveProperty('.github/CODEOWNERS');
    expect(out.match(/^differs +\S+/gm)).toEqual([
      'differs  .gitignore',
      'differs  CODEOWNERS',
      'differs  README.md',
      'differs  package.json',
    ]);
    expect(out).toContain('\n+.leasehold/\n');
    expect(out).toContain('\n-# Ours\n');
    expect(out).toContain('leasehold init --replace CODEOWNERS writes it so\n');
    expect(out).toContain(
      '\nnext:\n  put what is shown above into package.json and .gitignore, or run this again with --replace package.json --replace .gitignore\n  git remote add origin https://github.com/acme/leases.git\n',
    );
  });

  test('are replaced one by one when they are named, and keep what is not ours', async () => {
    const root = emptyRepository({
      'README.md': '# Ours\n',
      'package.json': '{ "name": "ours", "devDependencies": { "x": "1.0.0" } }\n',
      '.gitignore': '*.tmp',
      CODEOWNERS: '* @acme/all\n',
    });
    const replace = ['package.json', '.gitignore', 'CODEOWNERS'].flatMap((path) => [
      '--replace',
      path,
    ]);
    const { out } = await init(root, ...profiles['akash-argocd-github'], ...replace);
    expect(out.match(/^(?:differs|replaced) +\S+/gm)).toEqual([
      'replaced  .gitignore',
      'replaced  CODEOWNERS',
      'differs   README.md',
      'replaced  package.json',
    ]);
    const tree = content(root);
    expect(tree['.gitignore']).toBe('*.tmp\nnode_modules/\n.leasehold/\n');
    expect(JSON.parse(tree['package.json'] ?? '')).toEqual({
      name: 'ours',
      devDependencies: { x: '1.0.0', leasehold: `git+${leasehold}` },
    });
    expect(tree.CODEOWNERS).toMatch(/^\* @acme\/all\n# leasehold codeowners: begin/);
    expect(await runInProcess(['codeowners', '--write', 'CODEOWNERS'], root)).toMatchObject({
      err: 'CODEOWNERS is up to date\n',
    });
  });

  test('a pool file that is replaced is judged with the leases that are there', async () => {
    const root = emptyRepository();
    await init(root, ...profiles.minimal);
    putFile(root, 'leases/shop/web.yaml', content(root)['examples/shop/web.yaml'] ?? '');
    await runInProcess(['synth'], root);
    const before = content(root);
    const words = ['--for', 'platform', '--pool', 'q=198.51.100.0/28', '--leasehold', leasehold];
    const kept = await init(root, ...words);
    expect(kept.out).toMatch(/^differs +leases\/pools\.yaml/m);
    expect(content(root)).toEqual(before);
    const { status, err } = await init(root, ...words, '--replace', 'leases/pools.yaml');
    expect({ status, err }).toEqual({
      status: 1,
      err: expect.stringContaining('ADDRESS_STRANDED'),
    });
    expect(content(root)).toEqual(before);
  });

  test('pools that were imported stay, and the rest comes beside them', async () => {
    const root = emptyRepository({
      'live.yaml': `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: web, namespace: metallb-system }
spec: { addresses: [192.0.2.0/28] }
`,
    });
    await runInProcess(['import', 'metallb', 'live.yaml'], root);
    const before = content(root)['leases/pools.yaml'];
    const words = ['--engine', 'flux', '--repo', repo, '--leasehold', leasehold];
    expect(await init(root, ...words)).toMatchObject({ status: 0 });
    expect(content(root)['leases/pools.yaml']).toBe(before);
    expect(content(root)).toHaveProperty('examples/shop/web.yaml');
  });

  test.each(['{ "scripts": { "a": "b" }, }', '{ "devDependencies": ["x"] }'])(
    'a package.json such as %s is not emptied',
    async (text) => {
      const root = emptyRepository({ 'package.json': text });
      const before = snapshot(root);
      const { status, err } = await init(root, ...profiles.minimal, '--replace', 'package.json');
      expect({ status, err }).toEqual({
        status: 1,
        err: expect.stringContaining('package.json:1:1 FIELD_TYPE '),
      });
      expect(snapshot(root)).toEqual(before);
    },
  );

  test('what stands in the way is told all together, and nothing is written', async () => {
    const root = emptyRepository({ 'README.md/x': '', gitops: 'a file', 'package.json': '\u0000' });
    putFile(root, 'elsewhere', '');
    symlinkSync('elsewhere', join(root, 'cdk8s.yaml'));
    const before = snapshot(root);
    const { status, err } = await init(root, ...profiles['akash-argocd-github']);
    expect(status).toBe(1);
    expect(err.match(/^\S+ FILE_\S+ .*$/gm)).toEqual([
      'README.md:1:1 FILE_NOT_REGULAR there is a folder where a file is to be',
      'cdk8s.yaml:1:1 FILE_NOT_REGULAR not a regular file, and links are not followed',
      'gitops:1:1 FILE_NOT_REGULAR not a regular file, and links are not followed',
    ]);
    expect(snapshot(root)).toEqual(before);
  });

  test('an empty folder in the way of a file is told, and nothing is written', async () => {
    const root = emptyRepository();
    mkdirSync(join(root, 'README.md'));
    const before = content(root);
    const { status, err } = await init(root, ...profiles.minimal);
    expect({ status, err }).toEqual({
      status: 74,
      err: expect.stringContaining('README.md is no regular file'),
    });
    expect(content(root)).toEqual(before);
  });

  test.skipIf(process.getuid?.() === 0)('a file that cannot be read is told', async () => {
    const root = emptyRepository({ 'README.md': '' });
    chmodSync(join(root, 'README.md'), 0);
    expect(await init(root, ...profiles.minimal)).toMatchObject({ status: 74 });
  });

  test('a pool file that only the disk lacks is not made anew', async () => {
    const root = emptyRepository();
    await init(root, ...profiles.minimal);
    gitRepository(root).git('add', '-A');
    rmSync(join(root, 'leases/pools.yaml'));
    expect(await init(root, ...profiles.minimal)).toMatchObject({
      status: 1,
      err: expect.stringContaining('leases/pools.yaml:1:1 FILE_LOST'),
    });
  });
});

describe('words that do not fit', () => {
  test('are told all together', async () => {
    const root = emptyRepository();
    const before = snapshot(root);
    const { status, out, err } = await init(
      root,
      ...['--provider', 'akash1x', '--layout', 'x', '--metallb', '0.9', '--shards', '2'],
      ...['--pool', 'a=203.0.113.1/24', '--pool', 'B=203.0.113.1', '--pool', 'c', '--zone', 'd=x'],
      ...[
        '--reserved',
        'a=x',
        '--bgp',
        'e',
        '--reviewer',
        'x',
        '--engine',
        'flux',
        '--branch',
        '-x',
      ],
      ...['--repo', 'git@host:path', '--server', 'a=b', '--forge', 'gitlab', '--cluster', 'A'],
      ...['--leasehold', `ssh://git@host/acme/leasehold#${'a'.repeat(40)}`],
    );
    expect({ status, out }).toEqual({ status: 64, out: '' });
    expect(err.replace(/^leasehold: /gm, '')).toMatchInlineSnapshot(`
      "init --yes needs --for akash|platform
      --provider: 'akash1x' is not a bech32 address akash1…
      --metallb '0.9': expected a version such as 0.14.9
      --layout 'x': expected lease or pool
      --cluster 'A': expected lower-case letters, digits and -, with a letter or digit at both ends
      --shards '2': expected 1 or 16 or 256
      --reviewer 'x': expected @user, @org/team or an e-mail address
      --repo: the address is in the short form of ssh, expected ssh://git@HOST/PATH
      --branch '-x': it is not the name of a branch
      --leasehold: the job of GitLab has no key for ssh, expected https://HOST/PATH#COMMIT
      --pool 'a=203.0.113.1/24': '203.0.113.1/24' has host bits set; the block is 203.0.113.0/24
      --pool 'B=203.0.113.1': the name: expected lower-case letters, digits and -, with a letter or digit at both ends
      --pool 'c': expected at least one
      --reserved 'a=x': 'x' is not an IP address
      --zone 'd=x': there is no --pool d
      --bgp 'e': there is no --pool e
      --server is for --engine argocd
      "
    `);
    expect(snapshot(root)).toEqual(before);
  });

  test('all that is missing is told at once', async () => {
    const root = emptyRepository();
    const { status, err } = await init(root, '--engine', 'argocd', '--for', 'akash');
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: init --yes needs --provider ADDRESS, --pool NAME=ADDRESSES, --repo URL, --leasehold URL#COMMIT\n',
    });
  });

  test('no password is repeated', async () => {
    const root = emptyRepository();
    const url = 'https://ana:secret@github.com/acme';
    const words = ['--engine', 'flux', '--repo', `${url}/leases`];
    const { err } = await init(root, ...words, '--leasehold', `${url}/leasehold#${'a'.repeat(40)}`);
    expect(err.match(/holds credentials/g)).toHaveLength(2);
    expect(err).not.toContain('secret');
  });

  test('several clusters of Argo CD need their servers', async () => {
    const words = [...profiles.minimal, '--engine', 'argocd', '--repo', repo];
    const clusters = ['--cluster', 'east', '--cluster', 'west'];
    const { status, err } = await init(emptyRepository(), ...words, ...clusters);
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: say with --server NAME=URL where the API server of east, west is\n',
    });
  });

  test('pools that do not fit together are problems of the file as it would be', async () => {
    const root = emptyRepository();
    const words = ['--for', 'platform', '--leasehold', leasehold, '--reserved', 'a=10.0.0.0/8'];
    const pools = [
      '--pool',
      'a=203.0.113.0/28',
      '--pool',
      'b=203.0.113.8/29',
      '--pool',
      'a=198.51.100.1',
    ];
    const { status, err } = await init(root, ...words, ...pools);
    expect(status).toBe(1);
    for (const code of ['POOL_OVERLAP', 'POOL_DUPLICATE', 'RESERVED_OUTSIDE']) {
      expect(err).toMatch(new RegExp(`^leases/pools\\.yaml:\\d+:\\d+ ${code} `, 'm'));
    }
    expect(err).toContain('the line is of the file as init would have written it');
    expect(content(root)).not.toHaveProperty('leases/pools.yaml');
  });

  test('a file that init does not write cannot be replaced', async () => {
    const root = emptyRepository({ Makefile: '' });
    const { status, err } = await init(root, ...profiles.minimal, '--replace', 'Makefile');
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: --replace names Makefile, which this init does not write\n',
    });
  });
});

describe('outside of git', () => {
  test('says to make a repository, or makes one', async () => {
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

describe('a bare repository', () => {
  test('is left as it is', async () => {
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

describe('the program', () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());

  test('does not wait for answers where nobody can give them', async () => {
    const cwd = emptyRepository();
    const { status, err } = await runProcess(process.execPath, [program.cli, 'init'], { cwd });
    expect({ status, err }).toEqual({
      status: 64,
      err: expect.stringContaining('init asks at a terminal, and there is none here: say --yes'),
    });
  });

  test('finds the files that it ships', async () => {
    const cwd = emptyRepository();
    const words = ['init', '--yes', ...profiles['platform-flux-gitlab']];
    expect(await runProcess(process.execPath, [program.cli, ...words], { cwd })).toMatchObject({
      status: 0,
    });
    expect(content(cwd)['.gitlab/leasehold.gitlab-ci.yml']).toContain(
      `LEASEHOLD_COMMIT: '${'0123456789'.repeat(4)}'\n`,
    );
  });
});

describe('the first push', () => {
  const stepsOf = async (root: string, ...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await init(root, ...profiles.minimal, ...words);
    const [, steps = ''] = out.split('\nnext:\n');
    return steps.split('\n').filter((step) => /\bgit (?!add -A|commit)|merge/.test(step));
  };

  test('goes from the branch that is applied, also where git named the first one otherwise', async () => {
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

  test('of another branch is merged', async () => {
    const root = emptyRepository({ x: '' });
    const repository = gitRepository(root);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'x');
    repository.git('checkout', '-q', '-b', 'topic');
    expect(await stepsOf(root)).toEqual([
      '  git remote add origin URL',
      '  git push -u origin HEAD',
      '  merge it into main: that is what is applied',
    ]);
  });

  test.each(['x;id', 'x`id`', "x'y", 'x|y', 'x&y', 'x<y', '{{x}}', 'refs/heads/main'])(
    'has no branch %s: it stands in commands, also in the README',
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
