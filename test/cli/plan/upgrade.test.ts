import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { emptyRepository, init, profiles } from '../../support/run/init-run.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { content, filesOf } from '../../support/trees/temp-tree.ts';
import { filesBelow } from '../../support/trees/tree-bytes.ts';

const page = readFileSync('docs/upgrade.md', 'utf8');

test.each(Object.entries(profiles))(
  'the page about upgrades names the files with the version that init writes: %s',
  async (_, words) => {
    const root = emptyRepository();
    expect(await init(root, ...words)).toMatchObject({ status: 0 });
    const withVersion = Object.entries(filesOf(content(root)))
      .filter(([path, text]) => !path.startsWith('.git/') && text.includes('0.1.0'))
      .map(([path]) => path);
    expect(withVersion).toContain('package.json');
    expect(withVersion.filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
  },
);

test('after an upgrade, the commands of the page show which manifests change, and that no address does', async () => {
  const root = example();
  const { git } = gitRepository(root);
  // Another version wrote one line otherwise.
  const file = 'dist/default/_namespaces/29uf1kr65ruu7cbcbmrfnn01251h41kjtfdekpop29ktu.yaml';
  const line = '    kustomize.toolkit.fluxcd.io/prune: disabled\n';
  const text = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(root, file), text.replace(line, ''));
  git('add', '-A');
  git('commit', '-q', '-m', 'by another version');
  const before = filesBelow(root);

  const commands = [...page.matchAll(/^npx --no -- leasehold (.*)$/gm)].map(([, words]) =>
    (words ?? '').split(' '),
  );
  expect(commands.map(([name]) => name)).toEqual(['synth', 'plan']);
  const [synth, plan] = [
    await runInProcess(commands[0] ?? [], root),
    await runInProcess(commands[1] ?? [], root),
  ];
  expect(synth).toMatchObject({ status: 0, out: expect.stringContaining('no address changes') });
  expect(filesBelow(root)).toEqual(new Map([...before, [file, text]]));
  const [, said = ''] = /`(No address changes)`/.exec(page) ?? [];
  expect(plan).toMatchObject({
    status: 0,
    out: expect.stringContaining(`Caution: ${said}, but the identity of Namespace `),
  });
  expect(plan.out).toContain(`+${line.trimEnd()}`);
});
