import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readKit, type Workflow } from '../../support/forge/ci-kit.ts';
import { runProcess } from '../../support/run/run-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

describe('the workflow of a release', () => {
  const file = '.github/workflows/release.yml';
  const { on, permissions, jobs } = readKit<Workflow>(file);

  test('runs for tags of versions only', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
  });

  test('builds without a right to write, and publishes in a job that runs no code of the repository', () => {
    expect(permissions).toEqual({});
    expect(Object.keys(jobs)).toEqual(['files', 'publish']);
    expect(jobs.files?.permissions).toEqual({ contents: 'read' });
    expect(jobs.publish?.permissions).toEqual({
      actions: 'read',
      attestations: 'write',
      contents: 'write',
      'id-token': 'write',
    });
    const steps = jobs.publish?.steps ?? [];
    expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual([
      expect.stringMatching(/^actions\/attest-build-provenance@/),
    ]);
    const words = steps.flatMap(({ run = '' }) =>
      run.split('\n').map((line) => line.split(' ')[0]),
    );
    expect([...new Set(words)].filter(Boolean)).toEqual(['gh', 'cd', 'sha256sum']);
  });

  test('pins its actions, and has no expression in a script', () => {
    const uses = readFileSync(resolve(file), 'utf8').match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(3);
    for (const line of uses) {
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    const scripts = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run }) => run ?? []),
    );
    expect(scripts.filter((run) => run.includes('${{'))).toEqual([]);
  });

  test('runs scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = readFileSync(resolve(file), 'utf8').matchAll(/npm run ([\w:]+)/g);
    expect([...named].map(([, name = '']) => name)).toEqual(['release']);
    expect(scripts).toHaveProperty('release');
  });
});

describe('the notes of a release', () => {
  const changes =
    '# Changes\n\nAll.\n\n## Unreleased\n\n- new\n\n## 1.2.3 - 2026-12-01\n\n### Added\n\n- this\n\n## 1.2.2\n\n- old\n';

  function notesOf(tag: string, text: string) {
    const root = tempTree({ 'package.json': '{ "version": "1.2.3" }\n', 'CHANGELOG.md': text });
    putFile(root, 'release/notes.mjs', '');
    copyFileSync('release/notes.mjs', join(root, 'release/notes.mjs'));
    return runProcess(process.execPath, ['release/notes.mjs', tag], { cwd: root });
  }

  test('are the section of the version', async () => {
    expect(await notesOf('v1.2.3', changes)).toEqual({
      status: 0,
      out: '### Added\n\n- this\n',
      err: '',
    });
  });

  test.each([
    ['v1.2.2', changes, 'the tag is v1.2.2, and package.json has the version 1.2.3'],
    ['v1.2.3', changes.replace('## 1.2.3', '## 1.2.30'), 'CHANGELOG.md has no section "## 1.2.3"'],
  ])('fail for %s and other versions', async (tag, text, message) => {
    expect(await notesOf(tag, text)).toEqual({ status: 1, out: '', err: `release: ${message}\n` });
  });
});
