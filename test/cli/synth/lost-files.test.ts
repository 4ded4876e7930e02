import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { begin } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** Removes a file with rm, and does what the hint of `synth` names first. */
async function obeyed(checkout: LeaseCheckout, path: string): Promise<string> {
  rmSync(join(checkout.root, path));
  const { out } = await checkout.run('synth', '--today', '2026-01-10');
  expect(out).toContain(`${path}:1:1 FILE_LOST `);
  const [, words = ''] = /^ {2}hint: run `git ((?:rm|restore) (?:'[^']*'|\S+))`/m.exec(out) ?? [];
  const [command = '', name = ''] = words.split(/ (.*)/);
  checkout.repository.git(command, name.replaceAll("'", ''));
  const next = await checkout.run('synth', '--today', '2026-01-10');
  expect(next).toMatchObject({ status: 0 });
  return next.out;
}

it('a declaration that rm has removed ends with the command that the hint names', async () => {
  const checkout = await begin();
  checkout.repository.git('checkout', '-q', 'main');
  expect(await obeyed(checkout, 'leases/bob.yaml')).toContain('1 released');
});

it('a file with a name that a shell reads otherwise goes with the command that the hint names', async () => {
  const checkout = await begin();
  checkout.put('leases/$(id) ;.yaml', 'nothing of ours');
  checkout.commit('2026-01-09');
  expect(await obeyed(checkout, 'leases/$(id) ;.yaml')).toContain('no address changes');
});

it('a record that rm has removed comes back with the command that the hint names', async () => {
  const checkout = await begin();
  expect(await obeyed(checkout, recordOf('203.0.113.1'))).toContain('no address changes');
});

it('a file that a sparse checkout leaves out comes back with a command that the hint names', async () => {
  const checkout = await begin();
  const { git } = checkout.repository;
  git('update-index', '-q', '--refresh');
  git('sparse-checkout', 'set', '--cone', 'docs');
  const { status, out } = await checkout.run('check', '-C', checkout.root);
  expect(status).toBe(1);
  const [, command = ''] =
    /hint: this is a sparse checkout: run `git (sparse-checkout \w+)`,/.exec(out) ?? [];
  git(...command.split(' '));
  expect(await checkout.run('check')).toMatchObject({ status: 0 });
});
