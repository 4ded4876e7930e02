import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

/** The example as a repository with a commit of everything. */
function repository() {
  const root = example();
  const { git } = gitRepository(root);
  git('add', '-A');
  git('commit', '-q', '-m', 'All');
  return { root, commit: git('rev-parse', 'HEAD').trim() };
}

describe('answers for programs', () => {
  test('synth has what it did', async () => {
    const { root, commit } = repository();
    putFile(
      root,
      'leases/late.yaml',
      leaseText('late', 4711, [{ name: 'late', service: 'web', port: 80 }]),
    );
    const line = ['synth', '--no-base', '--today', '2026-11-22'];
    expect(await answerOf(line, root, { schema: 'run' })).toMatchObject({
      ...{ kind: 'Run', day: '2026-11-22', commit, uncommitted: true },
      changes: [{ change: 'allocated', pool: 'default' }],
      ...{ held: '7', removed: 0 },
    });
  });

  test('prune has what it removed', async () => {
    const { root } = repository();
    expect(
      await answerOf(['prune', '--today', '2026-11-22'], root, { schema: 'run' }),
    ).toMatchObject({ kind: 'Run', changes: [], held: '6', written: 0, removed: 0 });
  });

  test('check passes with what is held, and with the base that it compared with', {
    tags: 'slow',
  }, async () => {
    const { root, commit } = repository();
    const passed = await answerOf(['check'], root, { schema: 'check' });
    expect(passed).toEqual({
      ...{ apiVersion: 'leasehold.dev/v1', kind: 'Check', day: '2026-11-20', commit },
      ...{ held: '6', cautions: [] },
    });
    const compared = await answerOf(['check', '--base', 'HEAD'], root, { schema: 'check' });
    expect(compared).toMatchObject({ kind: 'Check', base: commit, cautions: [] });
    putFile(root, 'notes.txt', 'not committed');
    const named = await answerOf(['check', '--base', 'HEAD', '--head', commit], root, {
      schema: 'check',
    });
    expect(named).toMatchObject({ kind: 'Check', commit, head: commit });
    expect(named).not.toHaveProperty('uncommitted');
  });

  test('explain has one code, or all of them', async () => {
    const one = await answerOf(['explain', 'pool_exhausted'], '.', { schema: 'codes' });
    expect(one).toMatchObject({ kind: 'Codes', items: [{ code: 'POOL_EXHAUSTED' }] });
    const all = (await answerOf(['explain'], '.', { schema: 'codes' })) as { items: unknown[] };
    expect(all.items.length).toBeGreaterThan(50);
    const { out } = await runInProcess(['explain', '-o', 'yaml'], '.');
    expect(parse(out)).toEqual(all);
  });

  test('codeowners has its rules', { tags: 'slow' }, async () => {
    const { root, commit } = repository();
    putFile(
      root,
      'leases/policy.yaml',
      "apiVersion: leasehold.dev/v1\nkind: Policy\noperators: { reviewers: ['@net/ops'] }\n",
    );
    const rules = expect.arrayContaining([{ path: '/leases/', owners: ['@net/ops'] }]);
    const head = { kind: 'Codeowners', commit, uncommitted: true };
    expect(await answerOf(['codeowners'], root, { schema: 'codeowners' })).toMatchObject({
      ...head,
      rules,
    });
    const line = ['codeowners', '--write', 'CODEOWNERS'];
    for (const state of ['written', 'same']) {
      const answer = await answerOf(line, root, { schema: 'codeowners' });
      expect(answer).toMatchObject({ ...head, file: 'CODEOWNERS', state, rules });
    }
  });
});

describe('the answer of a command that writes', { tags: 'slow' }, () => {
  const mail = '144.217.30.196';
  const pools = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: spare, namespace: metallb-system }
spec: { addresses: [198.51.100.0/28] }
`;
  test.each([
    [['move', mail, '--no-base'], 'move'],
    [['release', mail, '--no-base'], 'release'],
    [['release', '--cluster', 'default', '--allow-release', '6', '--no-base'], 'release'],
    [['add', 'reservation', 'shop/web', '80'], 'addition'],
    [['import', 'metallb', 'metallb.yaml', '--no-base'], 'import'],
  ])('%j has the day that it recorded and the commit that it changed', async (line, schema) => {
    const { root, commit } = repository();
    putFile(root, 'metallb.yaml', pools);
    const dated = [...line, '--today', '2026-11-21'];
    const answer = await answerOf(dated, root, { schema });
    expect(answer).toMatchObject({ day: '2026-11-21', commit, uncommitted: true });
  });

  test('pin has the day of the clock, and the commit that it changed', async () => {
    const { root, commit } = repository();
    const answer = await answerOf(['pin', mail], root, { schema: 'pin' });
    expect(answer).toMatchObject({ day: '2026-11-20', commit, uncommitted: true });
  });

  test('has no commit outside of git', async () => {
    const answer = await answerOf(['pin', mail], example(), { schema: 'pin' });
    expect(answer).toMatchObject({ day: '2026-11-20' });
    expect(answer).not.toHaveProperty('commit');
  });
});

describe('a failure for programs', () => {
  test('has the problems of the files, with their places', { tags: 'slow' }, async () => {
    const { root } = repository();
    putFile(root, 'leases/broken.yaml', 'kind: Lease\n');
    for (const line of [['check'], ['list'], ['synth', '--no-base']]) {
      const failure = await answerOf(line, root, { schema: 'failure', status: 1 });
      expect(failure).toMatchObject({
        ...{ kind: 'Failure', status: 1 },
        problems: expect.arrayContaining([
          expect.objectContaining({ at: { file: 'leases/broken.yaml', line: 1, column: 1 } }),
        ]),
      });
    }
  });

  test.each([
    [['who', '203.0.113.07'], 64],
    [['pools', 'nope'], 64],
    [['explain', 'NOPE'], 64],
    [['history', '203.0.113.7', '--ref', 'nope'], 74],
  ])(
    'of %j has the exit status %i and the reason, which people read on standard error',
    async (line, status) => {
      const { root } = repository();
      const failure = await answerOf(line, root, { schema: 'failure', status });
      const { err, out } = await runInProcess([...line, '-o', 'yaml'], root);
      expect(parse(out)).toEqual(failure);
      expect(failure).toMatchObject({ status, reason: err.replace(/^leasehold: |\n$/g, '') });
      expect((await runInProcess(line, root)).out).toBe('');
    },
  );
});
