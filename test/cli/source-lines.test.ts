import { describe, expect, it } from 'vitest';
import { gitRepository } from '../support/repositories/git-repository.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

const pools = (range: string) => `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool }
pools:
  - { name: web, zone: inet, addresses: [${range}] }
`;
const inPools = `leases/pools.yaml:5:42 ADDRESS_INVALID '203.0.113.256' is not an IP address
  5 |   - { name: web, zone: inet, addresses: [203.0.113.256] }
    |                                          ^^^^^^^^^^^^^
`;
const foreign = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: web, namespace: metallb-system }
spec: { addresses: [203.0.113.256] }
`;
const inForeign = `  4 | spec: { addresses: [203.0.113.256] }
    | `;

/** A repository whose commit is sound; then the pool file has a problem. */
function broken(): string {
  const root = tempTree({ 'leases/pools.yaml': pools('203.0.113.0/28') });
  const repository = gitRepository(root);
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'Pools');
  repository.git('checkout', '-q', '-b', 'change');
  putFile(root, 'leases/pools.yaml', pools('203.0.113.256'));
  return root;
}

describe('a problem is printed with the line of its file', () => {
  it.each(['plan --base main', 'bootstrap namespace', 'bootstrap metallb --for flux', 'check'])(
    'by %s',
    async (words) => {
      const { out, err } = await runInProcess(words.split(' '), broken());
      expect(out + err).toContain(inPools);
    },
  );

  it('by plan of a commit, whose file the working tree has no more', async () => {
    const root = broken();
    const repository = gitRepository(root);
    repository.git('commit', '-q', '-a', '-m', 'Broken');
    putFile(root, 'leases/pools.yaml', `# another line\n${pools('203.0.113.0/28')}`);
    const { out } = await runInProcess(['plan', '--base', 'main', '--head', 'HEAD'], root);
    expect(out).toContain(inPools);
  });

  it('by import, of a file that is read', async () => {
    const root = tempTree({ 'live.yaml': foreign });
    gitRepository(root);
    const { out, err } = await runInProcess(['import', 'metallb', 'live.yaml'], root);
    expect(out + err).toContain(inForeign);
  });

  it('by import of an SDL, but no line that may hold a secret', async () => {
    const sdl = `version: "2.0"\nservices: [\n  env: [PASSWORD=hunter2]\n  x\n`;
    const root = tempTree({ 'leases/pools.yaml': pools('203.0.113.0/28'), 'app.yaml': sdl });
    gitRepository(root);
    const lease = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/1/1/1';
    const { out, err } = await runInProcess(['import', 'sdl', 'app.yaml', lease], root);
    expect(out + err).toContain('app.yaml:');
    expect(out + err).not.toContain('hunter2');
  });
});
