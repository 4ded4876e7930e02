import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workDeskOf } from '../../../src/features/serve/cli/serve-work.ts';
import { longWork } from '../../../src/features/serve/long-work.ts';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const env = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/mono',
};

/** The plan of a repository whose workspace, without a pool file, is in a subfolder. */
async function planOfSubfolder() {
  const top = tempTree({
    'infra/ip/leases/dan.yaml': leaseText('dan', 5, [{ name: 'site', service: 'web', port: 80 }]),
  });
  const { git } = gitRepository(top);
  git('add', '-A');
  git('commit', '-q', '-m', 'The workspace');
  const { out } = await runInProcess(
    ['plan', '--base', 'HEAD', '--head', 'HEAD', '-o', 'json'],
    join(top, 'infra/ip'),
  );
  putFile(top, 'plan.json', out);
  // The CI prints the plan in the top folder.
  const print = async (format: string) =>
    (await runInProcess(['plan', '--from', 'plan.json', '-o', format], top, env)).out;
  return { top, plan: JSON.parse(out), print, head: git('rev-parse', 'HEAD').trim() };
}

test('what forges read names files from the root of the repository', async () => {
  const { plan, print, head } = await planOfSubfolder();
  expect(plan).toMatchObject({ folder: 'infra/ip/', problems: [{ file: 'leases/pools.yaml' }] });
  const file = 'infra/ip/leases/pools.yaml';
  expect(await print('github')).toContain(`::error file=${file},line=1,`);
  expect(JSON.parse(await print('gitlab'))).toMatchObject([{ location: { path: file } }]);
  expect(await print('sarif')).toContain(`"uri": "${file}"`);
  expect(await print('markdown')).toContain(`https://github.com/acme/mono/blob/${head}/${file}#L1`);
});

test('serve has the same plan', async () => {
  const { top, plan, head } = await planOfSubfolder();
  const source = { root: join(top, 'infra/ip'), remote: 'origin', branch: undefined };
  const desk = { ...source, patterns: [], days: 30, ipam: undefined, environment: {} };
  const day = plan.head.day;
  expect(await longWork(workDeskOf(desk)).plan({ base: head, head, day })).toEqual(plan);
});
