import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { programFolder } from '../support/cluster/programs.ts';
import { gitRepository } from '../support/git-repository.ts';
import { accountOf, leaseText } from '../support/lease-text.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { serving } from '../support/serving.ts';
import { putFile, tempTree } from '../support/temp-tree.ts';

/*
 * The Akash provider's own client, compiled from its own files, asks what the provider asks. Only what the client imports
 * of the chain's module, four ids, and the look-up of the endpoint in a cluster are ours: test/cluster/programs/ip-client.
 */

const pools = `apiVersion: leasehold.dev/v1
kind: Pools
provider: ${accountOf('provider')}
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/29]
    strategy: lowest
`;

const orderOfAnn = `${accountOf('ann')}/18446744073709551615/1/1`;
const orderOfBob = `${accountOf('bob')}/7/1/1`;

interface Answer {
  readonly value: unknown;
  readonly error?: string;
}

interface Answers {
  readonly check: Answer;
  readonly usage: Answer;
  readonly statuses: readonly Answer[];
}

const run = promisify(execFile);

async function ask(port: number, ...orders: readonly string[]): Promise<Answers> {
  const program = join(programFolder('ip-client'), 'ip-client');
  const { stdout } = await run(program, ['127.0.0.1', String(port), ...orders]);
  return JSON.parse(stdout);
}

/** Ann has DNS on one address, TCP and UDP, and a web server on another; bob one of his own. */
async function leased(): Promise<string> {
  const ports = [
    { name: 'dns', service: 'dns', port: 5353, externalPort: 53, protocol: 'TCP' },
    { name: 'dns', service: 'dns', port: 5353, externalPort: 53, protocol: 'UDP' },
    { name: 'web', service: 'web', port: 8080, externalPort: 80 },
  ];
  const root = tempTree({
    'leases/pools.yaml': pools,
    '.gitignore': '.leasehold/\n',
    'leases/ann.yaml': leaseText('ann', '18446744073709551615', ports),
    'leases/bob.yaml': leaseText('bob', 7, [{ name: 'one', service: 'ssh', port: 22 }]),
  });
  const { git } = gitRepository(root);
  const { status, err } = await runInProcess(['synth', '--today', '2026-01-10'], root);
  if (status !== 0) throw new Error(err);
  git('add', '-A');
  git('commit', '-q', '-m', 'Leases');
  return root;
}

const usage = { Available: 8, InUse: 3 };
const bobs = { Port: 22, ExternalPort: 22, ServiceName: 'ssh', Protocol: 'TCP' };

describe.skipIf(inject('clusterIsMissing'))("The Akash provider's own client", () => {
  test('reads the usage and the status of leases, and that a lease has none', async () => {
    const { port, json } = await serving(await leased());
    const {
      check,
      usage: used,
      statuses,
    } = await ask(port, orderOfAnn, orderOfBob, `${orderOfBob}1`);
    expect(check).toEqual({ value: true });
    expect(used).toEqual({ value: usage });
    const status = await json(`/ip-lease-status/${orderOfAnn}`);
    expect(status).toHaveLength(3);
    expect(statuses).toEqual([
      { value: status },
      { value: [{ ...bobs, IP: expect.stringMatching(/^203\.0\.113\.[0-7]$/) }] },
      { value: null },
    ]);
  });

  test('finds the operator alive while it is loading, and reads why it says nothing else', async () => {
    const { port } = await serving(await leased(), { isLoading: true });
    const error = 'ip operator remote error: http status 503 - nothing is served yet';
    expect(await ask(port, orderOfBob)).toEqual({
      check: { value: true },
      usage: { value: null, error },
      statuses: [{ value: null, error }],
    });
  });

  test.each([
    ['a declaration that broke', 'leases/ann.yaml', 'kind: Lease\nspec: {}\n'],
    ['a tree that is stale', 'leases/pools.yaml', 'kind: Pools\n'],
  ])('reads the last good answers beside %s', async (_, file, text) => {
    const root = await leased();
    const { port, look } = await serving(root);
    const good = await ask(port, orderOfAnn, orderOfBob);
    putFile(root, file, text);
    await look();
    expect(await ask(port, orderOfAnn, orderOfBob)).toEqual(good);
    expect(good.usage).toEqual({ value: usage });
  });
});
