import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programs, readKit, runStep, type Workflow } from '../../support/forge/ci-kit.ts';
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
      packages: 'write',
    });
    const steps = jobs.publish?.steps ?? [];
    expect(steps.flatMap(({ uses = '' }) => uses.split('@')[0] || [])).toEqual([
      'sigstore/cosign-installer',
      'actions/attest-build-provenance',
      'actions/attest-build-provenance',
    ]);
    const words = steps.flatMap(({ run = '' }) =>
      run.split('\n').map((line) => line.split(/[ =]/)[0] ?? ''),
    );
    const allowed = ['cd', 'cosign', 'echo', 'gh', 'printf', 'sha256sum', 'skopeo'];
    const variables = ['name', 'version'];
    expect([...new Set(words)].filter(Boolean).sort()).toEqual([...allowed, ...variables].sort());
  });

  test('signs the image by its digest, and the digests of the files', async () => {
    const root = tempTree();
    const calls = join(root, 'calls');
    const noted = (name: string, more = '') => `echo ${name} "$@" >> ${calls}; ${more}`;
    const files = 'mkdir files; cd files; echo x > x.tgz; sha256sum x.tgz > SHA256SUMS';
    const fakes = programs({
      gh: noted('gh', `[ "$1" = release ] || { ${files}; }`),
      cosign: noted('cosign', '[ "$1" != login ] || cat > password'),
      skopeo: noted('skopeo', 'echo -n sha256:0a > "$4"'),
    });
    const env = {
      PATH: `${fakes}:${process.env.PATH}`,
      GH_TOKEN: 'fake-token',
      GITHUB_ACTOR: 'ada',
      GITHUB_REF_NAME: 'v1.2.3',
      GITHUB_REPOSITORY: 'Acme/Leasehold',
      GITHUB_RUN_ID: '7',
    };
    const values: Record<string, string> = {};
    for (const step of jobs.publish?.steps.filter(({ run }) => run !== undefined) ?? []) {
      const { status, log, outputs } = await runStep(step, { cwd: root, env }, values);
      expect([status, log]).toEqual([0, expect.not.stringContaining('fake-token')]);
      for (const [name, value] of Object.entries(outputs))
        values[`steps.image.outputs.${name}`] = value;
    }
    const image = 'ghcr.io/acme/leasehold';
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual([
      'gh run download 7 --name release',
      'cosign login ghcr.io --username ada --password-stdin',
      `skopeo copy --preserve-digests --digestfile digest oci-archive:files/leasehold-1.2.3.oci.tar docker://${image}:1.2.3`,
      `cosign sign --yes ${image}@sha256:0a`,
      `cosign attest --yes --type cyclonedx --predicate files/leasehold-1.2.3.oci.cdx.json ${image}@sha256:0a`,
      'cosign sign-blob --yes --bundle files/SHA256SUMS.sigstore.json files/SHA256SUMS',
      'gh release create v1.2.3 --verify-tag --title v1.2.3 --notes-file notes.md files/SHA256SUMS files/x.tgz',
    ]);
    expect(readFileSync(join(root, 'password'), 'utf8')).toBe('fake-token');
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
