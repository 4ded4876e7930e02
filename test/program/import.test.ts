import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitRepository } from '../support/repositories/git-repository.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { content, tempTree } from '../support/trees/temp-tree.ts';

const live = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: web, namespace: metallb-system }
spec: { addresses: [192.0.2.0/28, 2001:db8::/120], autoAssign: false }
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: { name: all, namespace: metallb-system }
spec: { interfaces: [bond0] }
`;

describe('the program leasehold import', () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());

  it('imports what kubectl prints, through a pipe, into a repository elsewhere', () => {
    const { root } = gitRepository(tempTree());
    const elsewhere = tempTree({ 'more.yml': 'metallb_ip_range: [198.51.100.0/28]\n' });
    const args = [program.cli, 'import', 'metallb', '-', '-C', root, '--today', '2026-11-20'];
    const piped = spawnSync(process.execPath, args, {
      input: live,
      encoding: 'utf8',
      cwd: elsewhere,
    });
    expect(piped).toMatchObject({ status: 0, stdout: expect.stringContaining('-:3') });
    const second = [program.cli, 'import', 'kubespray', 'more.yml', '-C', root];
    execFileSync(process.execPath, second, { cwd: elsewhere, stdio: 'ignore' });
    const check = spawnSync(process.execPath, [program.cli, 'check', '-C', root]);
    expect(check.status).toBe(0);
    expect(content(root)['leases/pools.yaml']).toMatch(/name: web[\s\S]*name: loadbalanced/);
  });
});
