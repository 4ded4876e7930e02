import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { programFolder } from '../support/cluster/programs/programs.ts';
import { accountOf, leaseText } from '../support/declarations/lease-text.ts';
import { providerPoolsText } from '../support/declarations/pools-text.ts';
import { leaseCheckout } from '../support/repositories/lease-checkout.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { startServe } from '../support/serve/served-program.ts';
import { putFile } from '../support/trees/temp-tree.ts';

/*
 * The Akash provider's own client, compiled from its own files, asks what the provider asks. Only what the client imports
 * of the chain's module, four ids, and the look-up of the endpoint in a cluster are ours: test/cluster/programs/ip-client.
 */

const pools = providerPoolsText(`pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/29]
    strategy: lowest
`);

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

async function ask(url: string, ...orders: readonly string[]): Promise<Answers> {
  const asker = join(programFolder('ip-client'), 'ip-client');
  const { stdout } = await run(asker, ['127.0.0.1', new URL(url).port, ...orders]);
  return JSON.parse(stdout);
}

let program: BuiltProgram;

/** Ann has DNS on one address, TCP and UDP, and a web server on another; bob one of his own. */
async function leased(): Promise<string> {
  const ports = [
    { name: 'dns', service: 'dns', port: 5353, externalPort: 53, protocol: 'TCP' },
    { name: 'dns', service: 'dns', port: 5353, externalPort: 53, protocol: 'UDP' },
    { name: 'web', service: 'web', port: 8080, externalPort: 80 },
  ];
  const { root } = await leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', '18446744073709551615', ports),
    'leases/bob.yaml': leaseText('bob', 7, [{ name: 'one', service: 'ssh', port: 22 }]),
  });
  return root;
}

const usage = { Available: 8, InUse: 3 };
const bobs = { Port: 22, ExternalPort: 22, ServiceName: 'ssh', Protocol: 'TCP' };

describe.skipIf(inject('clusterIsMissing'))("The Akash provider's own client", () => {
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program?.remove());

  test('reads the usage and the status of leases, and that a lease has none', async () => {
    const { url, ready } = await startServe(program.cli, await leased());
    await ready();
    const answers = await ask(url, orderOfAnn, orderOfBob, `${orderOfBob}1`);
    const { check, usage: used, statuses } = answers;
    expect(check).toEqual({ value: true });
    expect(used).toEqual({ value: usage });
    const status = await (await fetch(`${url}/ip-lease-status/${orderOfAnn}`)).json();
    expect(status).toHaveLength(3);
    expect(statuses).toEqual([
      { value: status },
      { value: [{ ...bobs, IP: expect.stringMatching(/^203\.0\.113\.[0-7]$/) }] },
      { value: null },
    ]);
  });

  test('finds the operator alive while nothing is served yet, and reads why it says nothing else', async () => {
    const root = await leased();
    putFile(root, 'leases/pools.yaml', 'kind: Pools\n');
    const { url } = await startServe(program.cli, root);
    const error = 'ip operator remote error: http status 503 - nothing is served yet';
    expect(await ask(url, orderOfBob)).toEqual({
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
    const { url, ready } = await startServe(program.cli, root);
    await ready();
    const good = await ask(url, orderOfAnn, orderOfBob);
    putFile(root, file, text);
    const status = async () => (await fetch(`${url}/api/v1/status`)).text();
    await expect.poll(status, { timeout: 30_000, interval: 200 }).toMatch(/"problems":\s*\[\s*\{/);
    expect(await ask(url, orderOfAnn, orderOfBob)).toEqual(good);
    expect(good.usage).toEqual({ value: usage });
  });
});
