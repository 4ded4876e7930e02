import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { emptyRepository, init, leasehold, profiles, repo } from '../../support/run/init-run.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, snapshot } from '../../support/trees/temp-tree.ts';

describe('existing files', () => {
  test('are kept, and the missing changes are shown', async () => {
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
    expect(out).toContain(
      '\nto make these changes, run this again with:\n  --replace CODEOWNERS\n',
    );
    // Without the other options, init would need a terminal or make another set-up.
    expect(out).not.toContain('leasehold init --replace');
    expect(out).toContain(
      '\nnext:\n  apply the changes shown above to package.json and .gitignore, or run this again with:\n    --replace package.json --replace .gitignore\n  git remote add origin https://github.com/acme/leases.git\n',
    );
  });

  test('of which a package.json that installs a tarball gets the source that is named', async () => {
    const installed = { devDependencies: { leasehold: 'file:leasehold-0.1.0.tgz', x: '1.0.0' } };
    const root = emptyRepository({ 'package.json': JSON.stringify(installed) });
    const { status, out } = await init(root, ...profiles['akash-argocd-github']);
    expect([status, out]).toEqual([0, expect.stringContaining('completed  package.json')]);
    expect(content(root)['package.json']).toMatch(/"leasehold": "(git\+)?https:.*"x": "1.0.0"/s);
  });

  test('are replaced with --replace, except for lines of others', async () => {
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

  test('the next steps name each cluster of a pool file with several, new or not', async () => {
    const root = emptyRepository();
    const engine = ['--for', 'platform', '--engine', 'flux', '--repo', repo];
    const setup = [...engine, '--pool', 'p=203.0.113.0/28', '--leasehold', leasehold];
    const live = [
      'npx --no -- leasehold doctor --cluster east --context CONTEXT',
      'npx --no -- leasehold doctor --cluster west --context CONTEXT',
      'npx --no -- leasehold verify --timeout 10m --cluster east --context CONTEXT',
      'npx --no -- leasehold verify --timeout 10m --cluster west --context CONTEXT',
    ];
    const stepsOf = async (...words: readonly string[]) =>
      (await init(root, ...setup, ...words)).out.match(/(?<=^ {2})npx .* (?:doctor|verify)\b.*$/gm);
    expect(await stepsOf('--cluster', 'east', '--cluster', 'west')).toEqual(live);
    expect(await stepsOf()).toEqual(live);
  });

  test('the objects of each cluster are applied in its own context, and only those of this engine', async () => {
    const root = emptyRepository();
    const setup = ['--for', 'platform', '--pool', 'p=203.0.113.0/28', '--leasehold', leasehold];
    const clusters = ['--cluster', 'east', '--cluster', 'west'];
    const applied = async (...words: readonly string[]) => {
      const { out } = await init(root, ...words, '--repo', repo);
      return out.match(/^ {2}in .*:\n {4}kubectl apply .*$|^ +kubectl apply .*$/gm);
    };
    const flux = [
      '  in cluster east:\n    kubectl apply -f gitops/flux-east.yaml --context CONTEXT',
      '  in cluster west:\n    kubectl apply -f gitops/flux-west.yaml --context CONTEXT',
    ];
    expect(await applied(...setup, ...clusters, '--engine', 'flux')).toEqual(flux);
    expect(content(root)['README.md']).toContain(
      '\nkubectl apply -f gitops/flux-east.yaml --context CONTEXT\n',
    );
    const servers = ['--server', 'east=https://10.0.0.1', '--server', 'west=https://10.0.0.2'];
    expect(await applied('--engine', 'argocd', ...servers)).toEqual([
      '  in the cluster of Argo CD:\n    kubectl apply -f gitops/argocd.yaml --context CONTEXT',
    ]);
    expect(await applied('--engine', 'flux')).toEqual(flux);
  });

  test('objects of another engine are not among the steps of one cluster either', async () => {
    const root = emptyRepository({ 'gitops/argocd.yaml': '{}' });
    const { out } = await init(root, ...profiles.minimal, '--engine', 'flux', '--repo', repo);
    expect(out.match(/^ +kubectl apply .*$/gm)).toEqual(['  kubectl apply -f gitops/flux.yaml']);
  });

  test.each([
    ['platform-flux-gitlab', {}],
    ['platform-forgejo', {}],
    ['akash-argocd-github', {}],
    ['minimal', { '.gitlab-ci.yml': 'plan: { script: [npx --no -- leasehold check] }\n' }],
    ['minimal', { '.github/workflows/a.yaml': 'steps: [{ uses: acme/leasehold@v0.1.0 }]\n' }],
  ] as const)('the CI of an earlier set-up such as %s %j is not denied', async (name, files) => {
    const root = emptyRepository(files);
    const first = await init(root, ...profiles[name]);
    const again = await init(root);
    expect([first.status, again.status]).toEqual([0, 0]);
    expect(again.out).not.toContain('no CI was written');
    // Nor in what it would write into the README.
    expect(again.out).not.toMatch(/^\+.*Run both in CI/m);
  });

  test('a CI without leasehold is none', async () => {
    const root = emptyRepository({
      '.gitlab-ci.yml': 'lint: { script: [yamllint .] }\n',
      '.github/CODEOWNERS': '# leasehold check\n',
    });
    expect((await init(root, ...profiles.minimal)).out).toContain('no CI was written');
  });

  test('engine objects of a former cluster are reported and kept', { tags: 'slow' }, async () => {
    const root = emptyRepository();
    const flux = [...['--engine', 'flux', '--repo', repo], ...['--for', 'platform']];
    const pool = ['--pool', 'p=203.0.113.0/28', '--leasehold', leasehold];
    const clusters = ['--cluster', 'east', '--cluster', 'west'];
    expect(await init(root, ...flux, ...pool, ...clusters)).toMatchObject({ status: 0 });
    const fewer = ['--cluster', 'east', '--replace', 'leases/pools.yaml'];
    const { status, out } = await init(root, ...flux, ...pool, ...fewer);
    expect([status, out.match(/^(?:new|old) +gitops\S+/gm)]).toEqual([
      0,
      [
        'old       gitops/flux-east.yaml',
        'old       gitops/flux-west.yaml',
        'new       gitops/flux.yaml',
      ],
    ]);
    expect(out).toMatch(/flux-west\.yaml +from an earlier set-up .*deletes what it applied/);
    expect(content(root)).toHaveProperty(['gitops/flux-west.yaml']);
    const old = await init(root, ...flux, ...pool, '--replace', 'gitops/flux-west.yaml');
    expect([old.status, old.err]).toEqual([64, expect.stringContaining('does not write')]);
  });

  test('a replaced pool file is checked against the existing leases', {
    tags: 'slow',
  }, async () => {
    const root = emptyRepository();
    await init(root, ...profiles.minimal);
    putFile(root, 'leases/shop/web.yaml', content(root)['examples/shop/web.yaml'] ?? '');
    await runInProcess(['synth'], root);
    const before = content(root);
    const words = ['--for', 'platform', '--pool', 'q=198.51.100.0/28'];
    const kept = await init(root, ...words);
    expect(kept.out).toMatch(/^differs +leases\/pools\.yaml/m);
    expect(content(root)).toEqual(before);
    const { status, out } = await init(root, ...words, '--replace', 'leases/pools.yaml');
    expect({ status, out }).toEqual({
      status: 1,
      out: expect.stringContaining('ADDRESS_STRANDED'),
    });
    expect(content(root)).toEqual(before);
  });

  test('imported pools are kept, and the other files are added', async () => {
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
      const { status, out } = await init(root, ...profiles.minimal, '--replace', 'package.json');
      expect({ status, out }).toEqual({
        status: 1,
        out: expect.stringContaining('package.json:1:1 FIELD_TYPE '),
      });
      expect(snapshot(root)).toEqual(before);
    },
  );

  test('all obstacles are reported together, and nothing is written', async () => {
    const root = emptyRepository({ 'README.md/x': '', gitops: 'a file', 'package.json': '\u0000' });
    putFile(root, 'elsewhere', '');
    symlinkSync('elsewhere', join(root, 'cdk8s.yaml'));
    const before = snapshot(root);
    const { status, out } = await init(root, ...profiles['akash-argocd-github']);
    expect(status).toBe(1);
    expect(out.match(/^\S+ FILE_\S+ .*$/gm)).toEqual([
      'README.md:1:1 FILE_NOT_REGULAR there is a folder in place of the file',
      'cdk8s.yaml:1:1 FILE_NOT_REGULAR not a regular file, and links are not followed',
      'gitops:1:1 FILE_NOT_REGULAR not a regular file, and links are not followed',
    ]);
    expect(snapshot(root)).toEqual(before);
  });

  test('an empty folder in place of a file is reported, and nothing is written', async () => {
    const root = emptyRepository();
    mkdirSync(join(root, 'README.md'));
    const before = content(root);
    const { status, err } = await init(root, ...profiles.minimal);
    expect({ status, err }).toEqual({
      status: 74,
      err: expect.stringContaining('README.md is not a regular file'),
    });
    expect(content(root)).toEqual(before);
  });

  test.skipIf(process.getuid?.() === 0)('a file that cannot be read is told', async () => {
    const root = emptyRepository({ 'README.md': '' });
    chmodSync(join(root, 'README.md'), 0);
    expect(await init(root, ...profiles.minimal)).toMatchObject({ status: 74 });
  });

  test('a pool file that is missing only on disk is not created again', async () => {
    const root = emptyRepository();
    await init(root, ...profiles.minimal);
    gitRepository(root).git('add', '-A');
    rmSync(join(root, 'leases/pools.yaml'));
    expect(await init(root, ...profiles.minimal)).toMatchObject({
      status: 1,
      out: expect.stringContaining('leases/pools.yaml:1:1 FILE_LOST'),
    });
  });
});

describe('an existing pool file of a platform', () => {
  const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9, layout: pool }
emit: { providerLeasedIP: false }
pools:
  - { name: lan, zone: lan, addresses: [192.0.2.0/24], fence: open } # live
`;
  const provider = 'akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y';
  const tool = ['--leasehold', leasehold];

  test('gets the provider that it lacks, and keeps the rest', async () => {
    const root = emptyRepository({ 'leases/pools.yaml': pools });
    const { status, out } = await init(root, ...tool, '--provider', provider);
    expect(status).toBe(0);
    expect(out).toMatch(/^completed +leases\/pools\.yaml +with what it lacked$/m);
    const completed = pools.replace('IP: false', 'IP: true').concat(`provider: ${provider}\n`);
    expect(content(root)['leases/pools.yaml']).toBe(completed);
    const again = await init(root, ...tool, '--provider', provider, '--metallb', '0.14.9');
    expect(again.status).toBe(0);
    expect(content(root)['leases/pools.yaml']).toBe(completed);
  });

  test.each([
    ['--for akash', /needs --provider ADDRESS/],
    ['--metallb 0.15.3', /--metallb 0\.15\.3: leases\/pools\.yaml declares 0\.14\.9/],
    ['--metallb-namespace lb', /--metallb-namespace lb: .*declares metallb-system/],
    ['--layout lease', /--layout lease: .*declares pool/],
    ['--shards 16', /--shards 16: .*declares 1/],
    ['--cluster west', /--cluster west: .*does not declare it/],
    [
      '--for platform --pool lan=192.0.2.0/24 --replace leases/pools.yaml',
      /would close the fence of lan/,
    ],
  ])('is not changed by %s', async (words, reason) => {
    const root = emptyRepository({ 'leases/pools.yaml': pools });
    const before = content(root);
    const { status, err } = await init(root, ...tool, ...words.split(' '));
    expect(err).toMatch(reason);
    expect(status).toBe(64);
    expect(content(root)).toEqual(before);
  });
});
