import { expect, it } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { commitLeases, declarationOf, holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const resolve = ['resolve', '--today', '2026-01-11'];

/** Dan's leases share the address of one endpoint. */
function leaseOfDan(dseq: string, port: string): string {
  return declarationOf('dan').replace("'1000'", `'${dseq}'`).replace('externalPort: 80', port);
}

/** An unfinished merge of two branches, each with a lease of Dan. */
async function mergedLeases(theirs: string, ours: string) {
  const repository = await remadeTwoLeases();
  const { root, git } = repository;
  for (const [branch, text] of [
    ['one', theirs],
    ['two', ours],
  ] as const) {
    git('checkout', '-q', '-b', branch, 'main');
    putFile(root, `leases/dan-${branch}.yaml`, text);
    await commitLeases(repository);
  }
  git('branch', '-f', 'main', 'one');
  repository.isDone('merge', '-q', '--no-commit', 'main');
  return repository;
}

it.each([
  {
    code: 'PORT_TAKEN',
    theirs: leaseOfDan('71', 'externalPort: 80'),
    ours: leaseOfDan('72', 'externalPort: 80'),
    hint: 'if this lease replaces lease 71/1/1, remove the endpoint there: the address stays; else change externalPort, or give it another endpoint name so that it gets its own address',
    mended: leaseOfDan('72', 'externalPort: 8443'),
  },
  {
    code: 'HOLDER_CONFLICT',
    theirs: leaseOfDan('71', 'externalPort: 80, address: 203.0.113.8'),
    ours: leaseOfDan('72', 'externalPort: 81, address: 203.0.113.9'),
    hint: 'use the same address in all of them, or set it in one only; or give it another endpoint name so that it gets its own address',
    mended: leaseOfDan('72', 'externalPort: 81, address: 203.0.113.8'),
  },
  {
    code: 'LEASE_DUPLICATE',
    theirs: leaseOfDan('71', 'externalPort: 80'),
    ours: leaseOfDan('71', 'externalPort: 81'),
    hint: 'declare its endpoints in leases/dan-one.yaml, and remove this file',
    mended: undefined,
  },
])('$code in a merge is mended as its hint says', async ({ code, theirs, ours, hint, mended }) => {
  const repository = await mergedLeases(theirs, ours);
  const { root, git } = repository;
  const refused = await runInProcess(resolve, root);
  expect(refused.out).toContain(code);
  expect(refused.out).toContain(
    `hint: ${hint}; change the one that upstream does not have, and run \`leasehold resolve\` again\n`,
  );
  if (mended === undefined) {
    git('rm', '-q', '-f', 'leases/dan-two.yaml');
    const other = '    - { name: front, service: web, port: 8080, externalPort: 81 }\n';
    putFile(root, 'leases/dan-one.yaml', `${theirs}${other}`);
  } else putFile(root, 'leases/dan-two.yaml', mended);
  expect(await runInProcess(resolve, root)).toMatchObject({ status: 0 });
  git('commit', '-q', '-m', 'Merge main');
  const checked = await runInProcess(['check', '--base', 'main', '--today', '2026-01-11'], root);
  expect(checked).toMatchObject({ status: 0 });
  const { out } = await runInProcess(['list', '-o', 'json'], root);
  expect(out).toContain(holderOf('dan'));
});
