import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { profilesLine } from '../../support/declarations/sdl.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';

const sdl = (env: string) => `version: '2.0'
endpoints: { site: { kind: ip }, peer: { kind: ip } }
services:
  node:
    image: example/node
    env: [${env}]
    expose:
      - { port: 80, to: [{ global: true, ip: site }] }
      - { port: 30303, to: [{ global: true, ip: peer }] }
${profilesLine(['rack'], ['node'])}deployment: { node: { rack: { profile: node, count: 1 } } }
`;

/** A synthesized workspace: `site` has an IPv4 address, and `peer` both families. */
async function synthesized(): Promise<string> {
  const root = tempTree({
    'leases/pools.yaml': poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
clusters: [{ name: east }, { name: west }]
defaultCluster: east
pools:
  - name: public
    zone: inet
    addresses: [203.0.113.0/28, 2001:db8::/120]
    strategy: lowest
    advertise: { l2: {} }
`),
    'leases/node.yaml': `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${owner}, dseq: '7', gseq: 1, oseq: 1 }
  endpoints:
    - { name: site, service: node, port: 80 }
    - { name: peer, service: node, port: 30303, ipFamily: dual }
`,
  });
  const { status, out } = await runInProcess(['synth', '--today', '2026-01-10'], root);
  expect([status, out]).toEqual([0, expect.stringContaining('3 allocated')]);
  return root;
}

async function filled(env: string, ...options: readonly string[]) {
  const root = await synthesized();
  putFile(root, 'node.yaml', sdl(env));
  return runInProcess(['sdl', 'fill', 'node.yaml', '--owner', owner, ...options], root);
}

describe('leasehold sdl fill', () => {
  it('prints the SDL with the addresses that the endpoints hold, and says which', async () => {
    const { status, out, err } = await filled(
      'IP=$(leased.site), P4=$(leased.peer.ipv4), "P6=[$(leased.peer.ipv6)]:30303"',
    );
    const [, site] = /IP=([\d.]+),/.exec(out) ?? [];
    const [, peer] = /P4=([\d.]+),/.exec(out) ?? [];
    expect(out).toBe(sdl(`IP=${site}, P4=${peer}, "P6=[2001:db8::]:30303"`));
    expect(err).toBe(
      `$(leased.site) is ${site}\n$(leased.peer.ipv4) is ${peer}\n$(leased.peer.ipv6) is 2001:db8::\n`,
    );
    expect(new Set([site, peer])).toEqual(new Set(['203.0.113.0', '203.0.113.1']));
    expect(status).toBe(0);
  });

  it('prints an SDL without a placeholder as it is', async () => {
    expect(await filled('')).toMatchObject({
      status: 0,
      out: sdl(''),
      err: 'the SDL has no placeholder: it is unchanged\n',
    });
  });

  it('asks for the family where an endpoint has two addresses', async () => {
    const { status, out, err } = await filled('IP=$(leased.peer)');
    expect(err).toMatch(
      /^node\.yaml:6:11 SDL_PLACEHOLDER \$\(leased\.peer\) cannot be filled: the IP endpoint 'peer' has two addresses, 203\.0\.113\.\d and 2001:db8::\n {2}hint: name one: \$\(leased\.peer\.ipv4\) or \$\(leased\.peer\.ipv6\)\n/,
    );
    expect([status, out]).toEqual([1, '']);
  });

  it('names the address of the other family', async () => {
    const { err } = await filled('IP=$(leased.site.ipv6)');
    expect(err).toContain("the IP endpoint 'site' has no IPv6 address, it has 203.0.113.");
  });

  it('finds nothing of the owner in another cluster', async () => {
    const { status, err } = await filled('IP=$(leased.site)', '--cluster', 'west');
    expect(err).toContain(`no lease or promise of ${owner} declares the IP endpoint 'site'`);
    expect(status).toBe(1);
  });

  it('sends to synth for an endpoint that is declared and has no address', async () => {
    const root = await synthesized();
    putFile(
      root,
      'leases/later.yaml',
      `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${owner}, dseq: '8', gseq: 1, oseq: 1 }
  endpoints: [{ name: later, service: node, port: 81 }]
`,
    );
    putFile(root, 'node.yaml', sdl('IP=$(leased.later)').replaceAll('peer', 'later'));
    const { status, err } = await runInProcess(
      ['sdl', 'fill', 'node.yaml', '--owner', owner],
      root,
    );
    expect(err).toContain("the IP endpoint 'later' has no address yet");
    expect(err).toContain('  hint: allocate it with `leasehold synth`\n');
    expect(status).toBe(1);
  });

  it('fills in the address of a promise, before there is a lease', async () => {
    const root = await synthesized();
    const words = ['add', 'promise', owner, 'later', '--today', '2026-01-10'];
    expect((await runInProcess(words, root)).status).toBe(0);
    expect((await runInProcess(['synth', '--today', '2026-01-10'], root)).status).toBe(0);
    putFile(root, 'node.yaml', sdl('IP=$(leased.later)').replaceAll('peer', 'later'));
    const { status, out } = await runInProcess(
      ['sdl', 'fill', 'node.yaml', '--owner', owner],
      root,
    );
    expect([status, out]).toEqual([0, expect.stringContaining('IP=203.0.113.')]);
  });

  it.each([
    ['no owner', ['sdl', 'fill', 'node.yaml'], "required option '--owner <account>'"],
    [
      'an owner that is no account',
      ['sdl', 'fill', 'node.yaml', '--owner', 'akash1me'],
      'It is not an account akash1….',
    ],
    [
      'an unknown cluster',
      ['sdl', 'fill', 'node.yaml', '--owner', owner, '--cluster', 'north'],
      'leases/pools.yaml declares no cluster north; the clusters are east, west',
    ],
  ])('is wrong usage with %s', async (_, words, message) => {
    const root = await synthesized();
    putFile(root, 'node.yaml', sdl(''));
    const { status, err } = await runInProcess(words, root);
    expect(err).toContain(message);
    expect(status).toBe(64);
  });
});
