import { describe, expect, test } from 'vitest';
import { emptyRepository, init, leasehold, profiles, repo } from '../../support/run/init-run.ts';
import { content, snapshot } from '../../support/trees/temp-tree.ts';

describe('leasehold init with invalid options', () => {
  test('reports all problems together', async () => {
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
      --layout 'x': expected pool or lease
      --cluster 'A': expected lower-case letters, digits and -, with a letter or digit at both ends
      --shards '2': expected 1 or 16 or 256
      --reviewer 'x': expected @user, @org/team or an e-mail address
      --repo: the address is in the short form of ssh, expected ssh://git@HOST/PATH
      --branch '-x': it is not the name of a branch
      --leasehold: the GitLab jobs have no ssh key: expected https://HOST/PATH#VERSION
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

  test('reports all missing options together', async () => {
    const root = emptyRepository();
    const { status, err } = await init(root, '--engine', 'argocd', '--for', 'akash');
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: init --yes needs --provider ADDRESS, --pool NAME=ADDRESSES, --repo URL, --leasehold SOURCE\n',
    });
  });

  test('rejects options of MetalLB beside --cilium, and a Cilium that moves addresses', async () => {
    const words = [...profiles.minimal, '--cilium', '1.17.4', '--layout', 'pool'];
    const { status, err } = await init(emptyRepository(), ...words);
    expect({ status, err: err.replace(/^leasehold: /gm, '') }).toEqual({
      status: 64,
      err: `--cilium '1.17.4': Cilium 1.17.4 is not supported, expected 1.18.2 or later
--layout is for MetalLB, and --cilium names Cilium
`,
    });
  });

  test('never prints a password', async () => {
    const root = emptyRepository();
    const url = 'https://ana:secret@github.com/acme';
    const words = ['--engine', 'flux', '--repo', `${url}/leases`];
    const { err } = await init(root, ...words, '--leasehold', `${url}/leasehold#${'a'.repeat(40)}`);
    expect(err.match(/contains credentials/g)).toHaveLength(2);
    expect(err).not.toContain('secret');
  });

  test('requires the servers of several clusters of Argo CD', async () => {
    const words = [...profiles.minimal, '--engine', 'argocd', '--repo', repo];
    const clusters = ['--cluster', 'east', '--cluster', 'west'];
    const { status, err } = await init(emptyRepository(), ...words, ...clusters);
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: name the API server of east, west with --server NAME=URL\n',
    });
  });

  test('reports overlapping pools as problems of the planned file', async () => {
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
    const { status, out } = await init(root, ...words, ...pools);
    expect(status).toBe(1);
    for (const code of ['POOL_OVERLAP', 'POOL_DUPLICATE', 'RESERVED_OUTSIDE']) {
      expect(out).toMatch(new RegExp(`^leases/pools\\.yaml:\\d+:\\d+ ${code} `, 'm'));
    }
    expect(out).toContain('the line number is that of the file as init would have written it');
    expect(content(root)).not.toHaveProperty('leases/pools.yaml');
  });

  test('rejects --replace for a file that init does not write', async () => {
    const root = emptyRepository({ Makefile: '' });
    const { status, err } = await init(root, ...profiles.minimal, '--replace', 'Makefile');
    expect({ status, err }).toEqual({
      status: 64,
      err: 'leasehold: --replace names Makefile, which this init does not write\n',
    });
  });
});
