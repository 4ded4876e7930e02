import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** A copy of the shipped example in a temporary folder, without what synth wrote for it. */
export function exampleLeases(): string {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-example-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const written = resolve('leases/allocations');
  cpSync(resolve('leases'), join(root, 'leases'), {
    recursive: true,
    filter: (path) => path !== written,
  });
  return root;
}

/** The shipped example whole: what people declared and what synth wrote. */
export function example(): string {
  const root = exampleLeases();
  for (const folder of ['leases', 'dist']) {
    cpSync(resolve(folder), join(root, folder), { recursive: true });
  }
  return root;
}
