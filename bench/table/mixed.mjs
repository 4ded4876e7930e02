// What every command of a day costs in a mixed repository, beside the floor of the same round.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../measure.mjs';
import { writeDeclaration, writeMixed } from '../mixed.mjs';
import { commitAll, initRepository, packAll, startBranch } from '../repository.mjs';
import { baseDay, changeDay, cli, floorProgram, floors, Rows } from './rounds.mjs';

/** Commands on a branch after a synth that change nothing, each beside reading alone. */
const unchanged = [
  { name: 'synth, nothing changed', args: ['synth', '--today', baseDay] },
  { name: 'check', args: ['check'] },
  { name: 'list', args: ['list', '-o', 'json'] },
  { name: 'who', args: ['who'], isOfAddress: true },
];

/** Commands on the same branch after a synth of one lease more. */
const oneMore = [
  { name: 'check --base main, one lease more', args: ['check'] },
  { name: 'plan, one lease more', args: ['plan'] },
];
const base = ['--base', 'main', '--today', changeDay];

/** `node` is the path of another version of Node. */
export function measureMixed(folder, leases, rounds, node) {
  const rows = new Rows();
  for (let round = 0; round < rounds; round += 1) measureRound(rows, folder, leases, node);
  return { kind: 'mixed', leases, rounds, rows: rows.spreads() };
}

function measureRound(rows, folder, leases, node) {
  const root = join(folder, 'round');
  const out = join(folder, 'out');
  const removeOut = () => rmSync(out, { recursive: true, force: true });
  /** Small figures are means of several runs: the kernel counts hundredths of a second. */
  const times = leases <= 1000 ? 3 : 1;
  const run = ({ args, env }, more = [], often = times) =>
    measure([cli, ...args, ...more, '-C', root], { env, times: often, node });
  const floor = (...more) =>
    measure([floorProgram, root, ...more], { times, between: removeOut, node });
  try {
    writeMixed(root, leases);
    const first = run({ args: ['synth', '--today', baseDay] }, [], 1);
    rows.take(floors.write, undefined, floor(out));
    rows.take('first synth', floors.write, first);
    // As people work: in a clone, on a branch.
    initRepository(root);
    commitAll(root, baseDay, 'Base');
    packAll(root);
    startBranch(root, 'change');
    rows.take(floors.read, undefined, floor());
    for (const command of unchanged) {
      const more = command.isOfAddress ? [someAddress(root)] : [];
      rows.take(command.name, floors.read, run(command, more));
    }
    writeDeclaration(root, nextLease(leases));
    const one = run({ args: ['synth', '--today', changeDay] }, [], 1);
    rows.take('synth, one lease more', floors.read, one);
    commitAll(root, changeDay, 'Change');
    for (const command of oneMore) rows.take(command.name, floors.read, run(command, base));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The next declaration that is a lease with one port, whatever the count ends with. */
const nextLease = (leases) => Math.ceil(leases / 20) * 20;

function someAddress(root) {
  const records = readdirSync(join(root, 'leases/allocations'), { recursive: true });
  const file = records.filter((name) => name.endsWith('.yaml') && !name.includes(':')).sort()[0];
  return file.replace(/^.*[/\\]/, '').replace('.yaml', '');
}
