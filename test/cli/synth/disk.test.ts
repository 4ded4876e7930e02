import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInProcess as leasehold } from '../../support/run/run-in-process.ts';
import { example, exampleLeases } from '../../support/trees/example.ts';
import { fileStates } from '../../support/trees/file-states.ts';

const today = ['--today', '2026-12-01'];

/** Everything but leasehold's own folder. */
function repositoryOf(root: string): Readonly<Record<string, string>> {
  const states = Object.entries(fileStates(root));
  return Object.fromEntries(states.filter(([path]) => !path.startsWith('.leasehold')));
}

describe('a disk that refuses', () => {
  test('a file in the place of the journal is reported', async () => {
    const root = exampleLeases();
    writeFileSync(join(root, '.leasehold'), 'a file');
    const before = fileStates(root);
    const { status, err } = await leasehold(['synth', ...today], root);
    expect(status).toBe(74);
    expect(err).toMatch(/^leasehold: \.leasehold is a link or a file, not a folder; remove it\n$/);
    expect(fileStates(root)).toEqual(before);
  });

  test.skipIf(process.getuid?.() === 0)('a folder that is read-only, except for root', async () => {
    const root = exampleLeases();
    const before = fileStates(root);
    chmodSync(root, 0o555);
    const { status, err } = await leasehold(['synth', ...today], root);
    chmodSync(root, 0o755);
    expect(status).toBe(74);
    expect(err).toMatch(/^leasehold: [^\n]+\n$/);
    expect(fileStates(root)).toEqual(before);
  });
});

describe('releases', () => {
  const leases = ['aurora/18412033', 'borealis/18455120', 'cirrus/18390771'];
  const withoutMost = (): string => {
    const root = example();
    for (const lease of leases) rmSync(join(root, `leases/${lease}.yaml`));
    return root;
  };

  test('of many addresses require their exact number', async () => {
    const root = withoutMost();
    const before = repositoryOf(root);
    for (const told of [[], ['--allow-release', '3'], ['--allow-release', '5']]) {
      const { status, out } = await leasehold(['synth', ...today, ...told], root);
      expect(status).toBe(1);
      expect(out).toMatch(/ MASS_RELEASE .*\n.*--allow-release 4`\n/);
    }
    expect(repositoryOf(root)).toEqual(before);

    const { status, out } = await leasehold(['synth', ...today, '--allow-release', '4'], root);
    expect([status, out]).toEqual([0, expect.stringContaining('4 released')]);
  });

  test('are forgotten by prune once they are free for anyone, and no sooner', async () => {
    const root = withoutMost();
    await leasehold(['synth', ...today, '--allow-release', '4'], root);
    const kept = join(root, 'leases/allocations/194.28.98/194.28.98.217.yaml');
    expect(readFileSync(kept, 'utf8')).toContain('freeFrom: 2026-12-31');

    const early = await leasehold(['prune', '--today', '2026-12-30'], root);
    expect([early.status, early.out]).toEqual([0, expect.stringContaining('3 removed; 2 held')]);
    expect(readFileSync(kept, 'utf8')).toContain('released:');
    const later = await leasehold(['prune', '--today', '2026-12-31'], root);
    expect([later.status, later.out]).toEqual([0, expect.stringContaining('1 removed; 2 held')]);
    expect(Object.keys(repositoryOf(root))).not.toContain(
      'leases/allocations/194.28.98/194.28.98.217.yaml',
    );
    expect((await leasehold(['check'], root)).status).toBe(0);
  });
});
