import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readKit, type Workflow } from '../../support/forge/ci-kit.ts';

const folder = '.github/workflows';
const workflows = readdirSync(folder).map((name): readonly [string, Workflow] => [
  name,
  readKit<Workflow>(`${folder}/${name}`),
]);
/** The jobs that may write, with what they may write. */
const writers: Readonly<Record<string, readonly string[]>> = {
  'codeql.yml read': ['security-events'],
  'release.yml publish': ['attestations', 'contents', 'id-token', 'packages'],
};

const stepsOf = (jobs: Workflow['jobs']) => Object.values(jobs).flatMap(({ steps }) => steps);

describe.each(workflows)('our own workflow %s', (name, { on, permissions, jobs }) => {
  test('gives no token a right by default, and a job only what it needs', () => {
    expect(permissions).toEqual({});
    for (const [job, { permissions: given }] of Object.entries(jobs)) {
      const rights = Object.entries(given as Record<string, string>);
      const written = rights.filter(([, right]) => right !== 'read').map(([scope]) => scope);
      expect([job, written]).toEqual([job, writers[`${name} ${job}`] ?? []]);
    }
  });

  test('never runs the code of a stranger with the rights of the repository', () => {
    expect(Object.keys(on)).not.toContain('pull_request_target');
    expect(Object.keys(on)).not.toContain('workflow_run');
  });

  test('names each action by its commit, and keeps no token in the tree', () => {
    for (const { uses = '', with: given } of stepsOf(jobs)) {
      if (uses.startsWith('actions/checkout@')) {
        expect(given).toMatchObject({ 'persist-credentials': false });
      }
    }
    for (const line of readFileSync(`${folder}/${name}`, 'utf8').split('\n')) {
      if (/^\s*(- )?uses:/.test(line)) {
        expect(line).toMatch(/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      }
    }
  });

  test('has no expression in a script', () => {
    expect(stepsOf(jobs).filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });
});
