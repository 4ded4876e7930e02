import { relative, resolve } from 'node:path';
import {
  addressHistory,
  historyCsv,
  historyTable,
} from '../../features/ask/history/address-history.ts';
import type { AddressHistory } from '../../features/ask/history/address-history-answer.ts';
import {
  faultyTable,
  signatureCounts,
  verifyHistory,
} from '../../features/ask/history/verify-history.ts';
import { ownerUsageCsv, ownerUsages, ownerUsageTable } from '../../features/ask/owner-usage.ts';
import { poolUsageCsv, poolUsages, poolUsageTable } from '../../features/ask/pool-usage.ts';
import { type Who, whoCsv, whoHas, whoTable } from '../../features/ask/who.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../features/ask/workspace-snapshot.ts';
import type { Day } from '../../model/day.ts';
import type { Outcome } from '../../model/problem.ts';
import { parseQuestion } from '../../model/question.ts';
import { paintOf } from '../../text/print/paint.ts';
import { plain } from '../../text/print/plain.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { answerOption, answerText } from '../answer.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { dayValue, todayOption } from '../option-values.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

/** The commands that answer questions, of the working tree and of its history. */
export function addAskingCommands({ world, command, take }: CommandLine): void {
  command('who', 'say who has an address, or what a holder, owner, dseq or service has')
    .argument('<what>', 'an address, a CIDR block, a holder, owner, dseq, sharing key or service')
    .addOption(answerOption())
    .action((what: string, _, self) => take(runWho(world, what, self.optsWithGlobals())));
  command('history', 'say who had an address from when to when')
    .argument('<address>', 'the address')
    .option('--since <day>', 'leave out what ended before this day, YYYY-MM-DD', dayValue)
    .option('--until <day>', 'leave out what began after this day, YYYY-MM-DD', dayValue)
    .option('--ref <ref>', "the branch; else the remote's default one, else main, else HEAD")
    .addOption(answerOption())
    .action((address: string, _, self) => take(runHistory(world, address, self.optsWithGlobals())));
  command('pools', 'say how full the pools are, or how much each owner has')
    .argument('[pool...]', 'only these pools')
    .option('--owners', 'what each owner has, and what its quota leaves', false)
    .addOption(todayOption())
    .addOption(answerOption())
    .action((pools: string[], _, self) => take(runPools(world, pools, self.optsWithGlobals())));
  command('verify-history', 'prove that allowed signers signed what changed leases and manifests')
    .requiredOption('--allowed-signers <file>', "ssh-keygen's file of signers; not from this tree")
    .option('--base <ref>', 'look only at commits that this one lacks')
    .option('--head <ref>', 'look at the commits of this one', 'HEAD')
    .option('--pass-clean-merges', 'pass a merge in which each file is as a parent has it', false)
    .action((_, self) => take(runVerifyHistory(world, self.optsWithGlobals())));
}

interface AnswerOptions extends CommonOptions {
  readonly output: string;
}

/** `leasehold who`. */
async function runWho(world: World, what: string, options: AnswerOptions): Promise<number> {
  const question = parseQuestion(what);
  if (question.kind === 'nothing') throw new UsageError(question.reason);
  const known = await knownIn(world, options);
  if (!known.ok) return reportTreeProblems(world, rootOf(world, options), known.problems);
  noteProblems(world, known.value);
  const { items, waiting } = whoHas(question, known.value);
  for (const holder of waiting) {
    world.err(`${plain(holder)} is declared and has no address yet; run leasehold synth\n`);
  }
  if (items.length === 0) {
    const asked = plain(what);
    if (waiting.length === 0) {
      world.err(
        question.kind === 'range'
          ? `no address of ${asked} is held or recorded\n`
          : `nothing has the name ${asked}: no holder, owner, dseq, sharing key, service or namespace with an address\n`,
      );
    }
    return exit.problems;
  }
  const who: Who = { apiVersion: 'leasehold.dev/v1', kind: 'Who', asked: what, items };
  world.out(
    answerText(who, options.output, {
      table: (answer: Who) => whoTable(answer, world.columns),
      csv: whoCsv,
    }),
  );
  return exit.fine;
}

/** `leasehold history`. Needs no working tree: what is committed answers. */
async function runHistory(
  world: World,
  text: string,
  options: AnswerOptions & Partial<Record<'since' | 'until', Day>> & { readonly ref?: string },
): Promise<number> {
  const question = parseQuestion(text);
  if (question.kind === 'nothing') throw new UsageError(question.reason);
  if (question.kind !== 'address') throw new UsageError(`'${text}' is not an IP address`);
  const root = resolve(world.cwd, options.directory);
  const ports = openRepository(root);
  const { since, until, ref } = options;
  const history = await addressHistory(ports, question.address, { since, until, ref });
  world.err(historyNote(history, since !== undefined || until !== undefined));
  if (history.periods.length === 0) return exit.problems;
  world.out(answerText(history, options.output, { table: historyTable, csv: historyCsv }));
  return exit.fine;
}

function historyNote({ address, ref, shallow, periods }: AddressHistory, isSpan: boolean): string {
  const when = isSpan ? 'had no record of it in that time' : 'never had a record of it';
  const found = periods.length === 0 ? when : 'tells this';
  const limit = shallow
    ? 'the clone is shallow: what was before its oldest commit is not known (git fetch --unshallow)\n'
    : '';
  return `${address}: ${plain(ref)} ${found}\n${limit}`;
}

/** `leasehold pools`. */
async function runPools(
  world: World,
  names: readonly string[],
  options: AnswerOptions & { readonly today: Day | undefined; readonly owners: boolean },
): Promise<number> {
  if (options.owners && names.length > 0) {
    throw new UsageError('--owners counts over all pools: name none');
  }
  const known = await knownIn(world, options);
  if (!known.ok) return reportTreeProblems(world, rootOf(world, options), known.problems);
  const day = options.today ?? world.today();
  if (options.owners) {
    const printers = { table: ownerUsageTable, csv: ownerUsageCsv };
    world.out(answerText(ownerUsages(known.value, day), options.output, printers));
    return exit.fine;
  }
  const all = poolUsages(known.value, day);
  const unknown = names.find((name) => !all.items.some(({ pool }) => pool === name));
  if (unknown !== undefined) {
    const declared = all.items.map(({ pool }) => pool).join(', ');
    throw new UsageError(`leases/pools.yaml declares no pool ${unknown}; it declares ${declared}`);
  }
  const items = all.items.filter(({ pool }) => names.length === 0 || names.includes(pool));
  const terminal = world.terminal
    ? { paint: paintOf(!world.env.NO_COLOR), width: world.columns }
    : undefined;
  const table = (answer: typeof all) => poolUsageTable(answer, terminal);
  world.out(answerText({ ...all, items }, options.output, { table, csv: poolUsageCsv }));
  return exit.fine;
}

function rootOf({ cwd }: World, { directory }: CommonOptions): string {
  return resolve(cwd, directory);
}

function knownIn(world: World, options: CommonOptions): Promise<Outcome<WorkspaceSnapshot>> {
  const root = rootOf(world, options);
  return readWorkspaceSnapshot(openForReading(root), openRepository(root).history);
}

function noteProblems(world: World, { problems }: WorkspaceSnapshot): void {
  if (problems.length === 0) return;
  const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  world.err(
    `declarations have ${many}, so claims may be missing here; leasehold check names them\n`,
  );
}

/** `leasehold verify-history`. */
async function runVerifyHistory(
  world: World,
  options: CommonOptions & {
    readonly allowedSigners: string;
    readonly base?: string;
    readonly head: string;
    readonly passCleanMerges: boolean;
  },
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const allowedSigners = resolve(world.cwd, options.allowedSigners);
  if (!relative(root, allowedSigners).startsWith('..')) {
    world.err(
      'the file of allowed signers lies in the tree that is judged: whoever changes that tree may allow himself\n',
    );
  }
  const ports = openRepository(root);
  const { base, head, passCleanMerges } = options;
  const range = { base, head, allowedSigners, passCleanMerges };
  const report = await verifyHistory(ports, range);
  world.out(faultyTable(report));
  world.err(signatureCounts(report));
  return report.faulty.length === 0 ? exit.fine : exit.problems;
}
