import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, snapshot, tempTree } from '../../support/trees/temp-tree.ts';

const repo = 'https://git.example.com/leases.git';
const pools = poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`);
const two = `${pools}clusters: [{ name: east }, { name: west }]
defaultCluster: east
`;
const [east, west] = ['east=https://east.example.com', 'west=https://west.example.com:6443'];

const one = () => tempTree({ 'leases/pools.yaml': pools });
const both = () => tempTree({ 'leases/pools.yaml': two });
const gitops = (root: string, ...words: readonly string[]) =>
  runInProcess(['gitops', ...words], root);

describe('gitops argocd', () => {
  test('takes a lone cluster for the one that Argo CD runs in, and writes nothing', async () => {
    const root = one();
    const before = snapshot(root);
    const { status, out, err } = await gitops(root, 'argocd', '--repo', repo);
    expect([status, err]).toEqual([0, '']);
    expect(out.match(/server: .*/g)).toEqual([
      'server: https://kubernetes.default.svc',
      'server: https://kubernetes.default.svc',
    ]);
    expect(out).toContain('  path: dist/default\n');
    expect(snapshot(root)).toEqual(before);
  });

  test('has an Application for each cluster, on the server it is told', async () => {
    const words = ['argocd', '--repo', repo, '--server', west, '--server', east];
    const { status, out } = await gitops(both(), ...words);
    expect(status).toBe(0);
    expect(out.match(/^ {4}(?:server|path): .*$/gm)).toEqual([
      '    server: https://east.example.com',
      '    path: dist/east',
      '    server: https://west.example.com:6443',
      '    path: dist/west',
    ]);
  });

  test('has the one cluster that is asked for', async () => {
    const { out } = await gitops(both(), 'argocd', '--repo', repo, '--cluster', 'west');
    expect(out).toContain('name: leases-west\n');
    expect(out).not.toContain('east');
  });

  test('prints the same again, and the path of a folder in its repository', async () => {
    const root = tempTree();
    gitRepository(root);
    mkdirSync(join(root, 'network'));
    putFile(root, 'network/leases/pools.yaml', pools);
    const words = ['-C', 'network', 'argocd', '--repo', repo];
    const { out } = await gitops(root, ...words);
    expect(out).toContain('  path: network/dist/default\n');
    expect((await gitops(root, ...words)).out).toBe(out);
  });

  test.each([
    [[], /name the API server of east, west with --server NAME=URL/],
    [['--server', east], /name the API server of west with/],
    [['--server', east, '--server', east], /--server names east twice/],
    [['--server', 'north=https://x'], /with one of these names: east, west/],
    [['--server', 'https://east.example.com'], /--server is NAME=URL/],
    [['--server', 'east=http://x'], /the URL of east in --server is not the URL of an API server/],
    [
      ['--server', east, '--server', 'west=https://EAST.example.com:443/'],
      /east and west have the same API server/,
    ],
    [['--cluster', 'north'], /declares no cluster north; the clusters are east, west/],
    [['--revision', 'main'], /not a full name such as refs\/heads\/main/],
    [['--revision', 'refs/heads/a..b'], /not a full name/],
    [['--revision', 'refs/heads/main\n'], /not a full name/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux fills this in
    [['--revision', 'refs/heads/${x}'], /not a full name/],
    [['--project', 'default'], /It is Argo CD's project for all other Applications/],
    [['--project', 'A b'], /not a name of lower-case letters/],
    [['--namespace', 'argo/cd'], /not a name of lower-case letters/],
  ])('refuses %j', async (words, said) => {
    const { status, out, err } = await gitops(both(), 'argocd', '--repo', repo, ...words);
    expect([status, out]).toEqual([64, '']);
    expect(err).toMatch(said);
  });
});

test('gitops argocd-cm prints the same patch for any repository, and takes no options', async () => {
  const { status, out, err } = await gitops(tempTree(), 'argocd-cm');
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/^data:\n {2}resource\.customizations\.health\.Service: \|\n/);
  expect(await gitops(one(), 'argocd-cm')).toMatchObject({ status: 0, out });
  expect((await gitops(one(), 'argocd-cm', 'more')).status).toBe(64);
  expect((await gitops(one(), 'argocd-cm', '--repo', repo)).status).toBe(64);
});

describe('gitops flux', () => {
  test('has the cluster that Flux runs in, and names the Secret', async () => {
    const words = ['--repo', 'ssh://git@git.example.com/leases', '--secret', 'deploy-key'];
    const { status, out } = await gitops(both(), 'flux', ...words, '--cluster', 'west');
    expect(status).toBe(0);
    expect(out).toContain('  path: "./dist/west"\n');
    expect(out).toContain('  secretRef:\n    name: deploy-key\n');
    expect(out).not.toContain('healthCheckExprs');
  });

  test('waits for addresses when it is told to', async () => {
    const { out } = await gitops(one(), 'flux', '--repo', repo, '--wait-for-addresses');
    expect(out).toContain('  healthCheckExprs:\n    - apiVersion: v1\n');
  });

  test.each([
    [['--repo', repo], /more than one cluster, and Flux applies in the one it runs in/],
    [['--repo', 'git@git.example.com:leases', '--cluster', 'east'], /expected ssh:\/\/git@HOST/],
    [['--repo', repo, '--branch', 'a b', '--cluster', 'east'], /not the name of a branch/],
    [['--repo', repo, '--secret', '../x', '--cluster', 'east'], /not a name of lower-case/],
    [['--repo', repo, '--name', '', '--cluster', 'east'], /not a name of lower-case/],
  ])('refuses %j', async (words, said) => {
    const { status, out, err } = await gitops(both(), 'flux', ...words);
    expect([status, out]).toEqual([64, '']);
    expect(err).toMatch(said);
  });
});

describe('gitops flux --oci', () => {
  const oci = 'oci://registry.example.com:5000/acme/leases';

  test('uses the artifact of dist/ with the given tag', async () => {
    const { status, out } = await gitops(one(), 'flux', '--oci', oci, '--tag', 'prod');
    expect(status).toBe(0);
    expect(out).not.toContain('verify:');
    expect(out).toContain('kind: OCIRepository\n');
    expect(out).toContain(`  ref:\n    tag: prod\n  url: ${oci}\n`);
    expect(out).toContain('  path: "./default"\n');
    expect((await gitops(one(), 'flux', '--oci', oci)).out).toContain('    tag: latest\n');
  });

  test('applies only what a key of the Secret has signed', async () => {
    const { out } = await gitops(one(), 'flux', '--oci', oci, '--cosign-secret', 'cosign');
    expect(out).toContain('  verify:\n    provider: cosign\n    secretRef:\n      name: cosign\n');
  });

  test.each([
    [['--oci', oci, '--repo', repo], /'--oci <url>' cannot be used with option '--repo <url>'/],
    [['--oci', oci, '--branch', 'x'], /'--oci <url>' cannot be used with option '--branch <name>'/],
    [['--repo', repo, '--cosign-secret', 'x'], /cannot be used with option '--repo <url>'/],
    [['--oci', oci, '--cosign-secret', 'a/b'], /not a name of lower-case/],
    [['--repo', repo, '--tag', 'x'], /'--tag <name>' cannot be used with option '--repo <url>'/],
    [['--oci', oci, '--tag', 'a/b'], /not a tag of letters, digits/],
    [['--oci', oci, '--tag', ''], /not a tag/],
    [
      ['--oci', `${oci}:v1`],
      /in --oci is not an address such as oci:\/\/HOST\/PATH, without a tag/,
    ],
    [['--oci', `${oci}@sha256:00`], /is not an address/],
    [['--oci', 'https://registry.example.com/leases'], /is not an address/],
    [['--oci', 'oci://registry.example.com'], /is not an address/],
    [['--oci', 'oci://registry.example.com/Leases'], /is not an address/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux fills this in
    [['--oci', 'oci://registry.example.com/${x}'], /is not an address/],
  ])('refuses %j', async (words, said) => {
    const { status, out, err } = await gitops(one(), 'flux', ...words);
    expect([status, out]).toEqual([64, '']);
    expect(err).toMatch(said);
  });

  test('never prints a password', async () => {
    const { status, err } = await gitops(one(), 'flux', '--oci', 'oci://ember:hunter2@registry/x');
    expect([status, err]).toEqual([64, expect.stringContaining('contains credentials')]);
    expect(err).not.toContain('hunter2');
  });
});

test.each([
  ['argocd', "'--repo <url>' not specified"],
  ['flux', 'name the source of the manifests with --repo or --oci'],
])('gitops %s needs to know where the manifests are', async (engine, said) => {
  const { status, err } = await gitops(one(), engine);
  expect([status, err]).toEqual([64, expect.stringContaining(said)]);
});

describe.each(['argocd', 'flux'])('gitops %s', (engine) => {
  test.each([
    'https://ember:hunter2@git.example.com/leases',
    'https://hunter2@git.example.com/leases',
    'https://git.example.com/leases?token=hunter2',
    'https://git.example.com/hunter2\n  evil: true',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux fills this in
    'https://git.example.com/${hunter2}',
    'https://git.example.com/a hunter2',
  ])('refuses the repository %j, and does not print it', async (url) => {
    const { status, out, err } = await gitops(one(), engine, '--repo', url);
    expect([status, out]).toEqual([64, '']);
    expect(err).toMatch(/^leasehold: the address in --repo /);
    expect(err).not.toContain('hunter2');
  });

  test('writes the same into a file with --out, and nothing when it fails', async () => {
    const [root, several] = [one(), both()];
    const { out } = await gitops(root, engine, '--repo', repo);
    const words = [engine, '--repo', repo, '--out', 'gitops/new.yaml'];
    expect(await gitops(root, ...words)).toMatchObject({ status: 0, out: '', err: '' });
    expect(content(root)['gitops/new.yaml']).toBe(out);
    const before = snapshot(several);
    expect((await gitops(several, ...words)).status).toBe(64);
    expect(snapshot(several)).toEqual(before);
  });

  test('reports the problems of the pool file', async () => {
    const root = tempTree({ 'leases/pools.yaml': 'kind: Pools\n' });
    const { status, out, err } = await gitops(root, engine, '--repo', repo);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^leases\/pools\.yaml:1:1 FIELD_MISSING/);
    const none = await gitops(tempTree(), engine, '--repo', repo);
    expect([none.status, none.err]).toEqual([1, expect.stringContaining('FILE_MISSING')]);
  });
});
