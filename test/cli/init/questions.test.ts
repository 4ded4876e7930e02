import { describe, expect, test } from 'vitest';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { keys, runAnswering, type Step } from '../../support/run/answered-prompts.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, filesOf, putFile, snapshot, tempTree } from '../../support/trees/temp-tree.ts';

const provider = 'akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y';
const leasehold = 'https://github.com/acme/leasehold.git#v0.1.0';
const { enter, down, clear, stop, no, yes } = keys;

function repository(): string {
  const root = tempTree();
  gitRepository(root);
  return root;
}

/** Everything is asked, and most answers are wrong at first. */
const all: readonly Step[] = [
  ['Who are you?', enter],
  ["The provider's address", `cosmos1abc${enter}`],
  ['is not a bech32 address akash1', `${clear}${provider}${enter}`],
  ['The addresses to lease', `203.0.113.65/27${enter}`],
  ['has host bits set', `${clear}203.0.113.64/27, 2001:db8::/120${enter}`],
  ['Where are pull requests reviewed?', enter],
  ['What applies the manifests?', enter],
  ['The git repository of these leases', `https://ana:secret@github.com/acme/leases.git${enter}`],
  ['the address contains credentials', `${clear}https://github.com/acme/leases.git${enter}`],
  ['The leasehold to install', `0.1.0${enter}`],
  ['expected a tarball or a folder', `${clear}${leasehold}${enter}`],
  ['Change a default now?', yes],
  ['The MetalLB that runs', `0.12.1${enter}`],
  ['MetalLB 0.12.1 is not supported', `${clear}0.15.2${enter}`],
  ['The namespace that MetalLB runs in', enter],
  ["How are MetalLB's pools cut?", enter],
  ['The names of the clusters', `east, west, east${enter}`],
  ['east is listed twice', `${clear}east, west${enter}`],
  ['How many leases will a cluster have?', `${down}${enter}`],
  ['Those of default that are never given out', `198.51.100.1${enter}`],
  ["is not entirely in pool 'default'", `${clear}203.0.113.65${enter}`],
  ['The zone of default', `inet${enter}`],
  ['How is default announced?', `${down}${enter}`],
  ['Is there another pool?', `${yes}`],
  ['The name of the pool', `default${enter}`],
  ['a pool with this name exists', `${clear}edge${enter}`],
  ['The addresses of edge', `203.0.113.70${enter}`],
  ["pools 'default' and 'edge' have 203.0.113.70", `${clear}198.51.100.0/28${enter}`],
  ['Those of edge that are never given out', enter],
  ['The zone of edge', enter],
  ['How is edge announced?', enter],
  ['Is there another pool?', no],
  ['Who approves changes', `nobody${enter}`],
  ['expected @user, @org/team or an e-mail address', `${clear}@acme/network, @ana${enter}`],
  ['The branch that is applied', enter],
  ['The API server of east', `https://kubernetes.default.svc${enter}`],
  ['The API server of west', `https://kubernetes.default.svc${enter}`],
  ['east and west have the same API server', `${clear}https://west.example.com${enter}`],
  ['Write 13 files, and synthesize?', yes],
  ['Declare a first Lease now?', no],
];

const said = [
  ...['--for', 'akash', '--provider', provider, '--metallb', '0.15.2'],
  ...['--cluster', 'east', '--cluster', 'west', '--shards', '16'],
  ...['--pool', 'default=203.0.113.64/27,2001:db8::/120', '--reserved', 'default=203.0.113.65'],
  ...['--zone', 'default=inet', '--bgp', 'default', '--pool', 'edge=198.51.100.0/28'],
  ...['--reviewer', '@acme/network', '--reviewer', '@ana', '--engine', 'argocd'],
  ...[
    '--repo',
    'https://github.com/acme/leases.git',
    '--forge',
    'github',
    '--leasehold',
    leasehold,
  ],
  ...[
    '--server',
    'east=https://kubernetes.default.svc',
    '--server',
    'west=https://west.example.com',
  ],
];

/** Nothing is left to be asked. */
const whole = [
  ...said,
  '--metallb-namespace',
  'metallb-system',
  '--layout',
  'pool',
  '--branch',
  'main',
];

describe('leasehold init, interactive', () => {
  test('validates each answer at once, and writes the same files as with options', {
    tags: 'slow',
  }, async () => {
    const [asked, told] = [repository(), repository()];
    const { status, left, screen } = await runAnswering(['init'], asked, all);
    expect({ left, screen: left.length > 0 ? screen.slice(-400) : '' }).toEqual({
      left: [],
      screen: '',
    });
    expect(status).toBe(0);
    expect(await runInProcess(['init', '--yes', ...said], told)).toMatchObject({ status: 0 });
    expect(filesOf(content(asked))).toEqual(filesOf(content(told)));
    expect(await runInProcess(['check'], asked)).toMatchObject({ status: 0 });
  });

  test('asks four questions where git knows the rest, and ends in a planned address', async () => {
    const root = repository();
    const { git } = gitRepository(root);
    git('remote', 'add', 'origin', 'https://github.com/acme/leases.git');
    const steps: readonly Step[] = [
      ['Who are you?', `${down}${enter}`],
      ['The addresses to lease', `203.0.113.64/27${enter}`],
      ['Where are pull requests reviewed?', enter],
      ['What applies the manifests?', `${down}${enter}`],
      ['Change a default now?', no],
      ['Write 12 files, and synthesize?', yes],
      ['Declare a first Service now?', yes],
      ['The namespace of the Service', `shop${enter}`],
      ['The name of the Service', `web${enter}`],
      ['The ports', `443:8443${enter}`],
      ['The labels of the pods', `app=web${enter}`],
      ['Write leases/shop/web.yaml?', yes],
    ];
    const words = ['init', '--leasehold', leasehold];
    const { status, left, screen } = await runAnswering(words, root, steps);
    expect({ status, left, screen: left.length > 0 ? screen : '' }).toEqual({
      status: 0,
      left: [],
      screen: '',
    });
    const tree = content(root);
    expect(tree['gitops/flux.yaml']).toContain('url: https://github.com/acme/leases.git');
    expect(tree['leases/pools.yaml']).toContain('  - name: default\n    zone: default\n');
    expect(screen).toMatch(/synth gives it 203\.0\.113\.\d+/);
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  test('asks only for missing options', async () => {
    const root = repository();
    const { status, left, screen } = await runAnswering(['init', ...whole.slice(0, -2)], root, [
      ['Change a default now?', yes],
      ['The branch that is applied', enter],
      ['Write 13 files', yes],
      ['Declare a first Lease now?', no],
    ]);
    expect({ status, left }).toEqual({ status: 0, left: [] });
    expect(screen).toContain('the branch main');
    expect(screen).not.toContain('MetalLB 0.');
    expect(screen).not.toContain('The provider');
  });

  test('asks for everything with --advanced, a Secret for Flux, and a new git repository', async () => {
    const root = tempTree();
    const words = ['--for', 'platform', '--pool', 'p=203.0.113.0/28', '--leasehold', leasehold];
    const { status, left, out } = await runAnswering(['init', '--advanced', ...words], root, [
      ['Where are pull requests reviewed?', `${down.repeat(4)}${enter}`],
      ['What applies the manifests?', `${down}${enter}`],
      ['The git repository', `git@github.com:acme/leases.git${enter}`],
      ['is in the short form of ssh', `${clear}ssh://git@github.com/acme/leases.git${enter}`],
      ['The MetalLB that runs', enter],
      ['The namespace', enter],
      ["How are MetalLB's pools cut?", `${down}${enter}`],
      ['names of the clusters', enter],
      ['How many leases', enter],
      ['Who approves', enter],
      ['The branch', `trunk${enter}`],
      ['The Secret with the credentials', `leases-key${enter}`],
      ['not in a git repository', yes],
      ['Write 10 files', yes],
      ['Declare a first Service now?', no],
    ]);
    expect({ status, left }).toEqual({ status: 0, left: [] });
    const tree = content(root);
    expect(tree['.git/HEAD']).toBe('ref: refs/heads/trunk\n');
    expect(tree['leases/pools.yaml']).toContain('layout: lease');
    expect(tree['gitops/flux.yaml']).toMatch(/branch: trunk[\s\S]*name: leases-key/);
    expect(out).not.toContain('git init');
  });

  test.each([
    ['Ctrl-C at the first question', [['Who are you?', stop]], false],
    [
      'Ctrl-C in a text',
      [
        ['Who are you?', enter],
        ["The provider's address", `akash1${stop}`],
      ],
      false,
    ],
    ['Ctrl-D at a choice', [['Who are you?', '\u0004']], false],
    [
      'Ctrl-D in a text',
      [
        ['Who are you?', enter],
        ["The provider's address", 'akash1\u0004'],
      ],
      false,
    ],
    [
      'a terminal that goes away',
      [
        ['Who are you?', enter],
        ["The provider's address", 'a'],
      ],
      true,
    ],
  ] as const)('%s ends it, and nothing is written', async (_, steps, leaves) => {
    const root = repository();
    const before = snapshot(root);
    const { status, err } = await runAnswering(['init'], root, steps, { leaves });
    expect({ status, err }).toEqual({
      status: 130,
      err: 'leasehold: stopped; nothing is written\n',
    });
    expect(snapshot(root)).toEqual(before);
  });

  test('prompts in whole lines on a terminal of unknown size', async () => {
    const size = { columns: 0, rows: 0 };
    const steps: readonly Step[] = [['Write 13 files, and synthesize?', no]];
    const { left, screen } = await runAnswering(['init', ...whole], repository(), steps, { size });
    expect({ left, screen }).toEqual({
      left: [],
      screen: expect.stringContaining('leases/pools.yaml\n'),
    });
  });

  test('writes nothing when the confirmation is declined', async () => {
    const root = repository();
    const before = snapshot(root);
    const words = ['init', ...whole];
    const { status, err } = await runAnswering(words, root, [['Write 13 files', no]]);
    expect({ status, err }).toEqual({ status: 0, err: 'leasehold: nothing is written\n' });
    expect(snapshot(root)).toEqual(before);
  });

  test('shows the diff of a file, and replaces it after confirmation', async () => {
    const root = repository();
    putFile(root, 'README.md', '# Ours\n');
    putFile(root, 'cdk8s.yaml', 'language: python\n');
    const words = ['init', ...whole];
    const { status, left, screen } = await runAnswering(words, root, [
      ['README.md exists with other content. Replace it?', no],
      ['cdk8s.yaml exists with other content. Replace it?', yes],
      ['Write 12 files', yes],
      ['Declare a first Lease now?', no],
    ]);
    expect({ status, left }).toEqual({ status: 0, left: [] });
    expect(screen).toContain('-language: python');
    expect(content(root)['README.md']).toBe('# Ours\n');
    expect(content(root)['cdk8s.yaml']).toContain('language: typescript');
  });
});
