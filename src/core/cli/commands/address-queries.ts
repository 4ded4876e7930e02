import { relative, resolve } from 'node:path';
import { historyCsv, historyTable } from '../../../features/ask/history/address-history-text.ts';
import { signatureReportOf } from '../../../features/ask/history/signature-report-answer.ts';
import {
  faultyCsv,
  faultyTable,
  signatureCounts,
  verifyHistory,
} from '../../../features/ask/history/verify-history.ts';
import { addressHistory, hostnameHistory } from '../../../lib/history/address-history.ts';
import { holderText } from '../../model/holder.ts';
import { answeringNames } from '../../model/hostname.ts';
import { canonicalAdvice, hostnameReason } from '../../net/dns-name.ts';
import { hostnamesNamed, waitingHostnames } from '../../run/list/hostnames.ts';
import { type Who, whoHas } from '../../run/list/who.ts';
import { whoCsv, whoTable } from '../../run/list/who-text.ts';
import { readWorkspaceSnapshot } from '../../run/list/workspace-snapshot.ts';
import { sanitize, shellWord } from '../../text/print/escape.ts';
import type { TableStyle } from '../../text/print/table.ts';
import { parseQuestion } from '../../text/question.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { answerOption, answerText, stateFields } from '../answer.ts';
import { type CliContext, exit, workingRoot } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { reportRefusal, UsageError } from '../failure.ts';
import { dayValue } from '../option-values.ts';
import { noteProblems, openTree, reportTreeProblems } from '../with-tree.ts';

/** `leasehold who`. */
export function addWhoCommand(line: CommandLine): void {
  whoCommand(line).action((what, _, self) =>
    line.exitWith(runWho(line.context, what, self.optsWithGlobals())),
  );
}

function whoCommand({ command }: CommandLine) {
  return command
    .argument(
      '<what>',
      'an address, a CIDR block, a holder, owner, IP endpoint, dseq, sharing key, service, hostname or DNS name',
    )
    .addOption(answerOption());
}

async function runWho(
  context: CliContext,
  what: string,
  options: OptionsOf<typeof whoCommand>,
): Promise<number> {
  const question = parseQuestion(what);
  if (question.kind === 'nothing') throw new UsageError(question.reason);
  const { tree, repository } = openTree(context, options);
  const known = await readWorkspaceSnapshot(tree, repository.history);
  if (!known.ok) return reportTreeProblems(context, repository, known.problems);
  noteProblems(context, known.value.problems.length);
  const { items, waiting } = whoHas(question, known.value);
  const named = question.kind === 'name' ? hostnamesNamed(known.value, question.name) : [];
  const unnamed = waitingHostnames(known.value).filter(({ hostname }) =>
    answeringNames(what).includes(hostname),
  );
  const missing = [
    ...waiting.map((holder) => `${holder} is declared and has no address yet; run leasehold synth`),
    ...unnamed.map(
      ({ hostname, holder }) =>
        `the hostname ${hostname} is declared by ${holderText(holder)} and not given yet; run leasehold synth`,
    ),
  ];
  if (items.length + named.length === 0) {
    const none =
      question.kind === 'range'
        ? `no address of ${what} is held or recorded`
        : `nothing has the name ${what}: no holder, owner, IP endpoint, dseq, sharing key, service, namespace or DNS name with an address, and no hostname${canonicalAdvice(what)}`;
    return reportRefusal(context, missing.length > 0 ? missing : [none]);
  }
  context.err(missing.map((line) => `${sanitize(line)}\n`).join(''));
  const { output } = options;
  if (output === 'csv' && items.length > 0 && named.length > 0) {
    throw new UsageError(
      `${what} has addresses and hostnames, which have different columns: use -o json, or leasehold list -o csv and leasehold list --hostnames -o csv`,
    );
  }
  const about = await stateFields(context, repository, output);
  const hostnames = named.length > 0 ? { hostnames: named } : {};
  const found = { ...about, asked: what, items, ...hostnames };
  const who: Who = { apiVersion: 'leasehold.dev/v1', kind: 'Who', ...found };
  context.out(answerText(context, who, output, { table: whoTable, csv: whoCsv }));
  return exit.fine;
}

/** `leasehold history`. Reads commits, not the working tree. */
export function addHistoryCommand(line: CommandLine): void {
  historyCommand(line).action((address, _, self) =>
    line.exitWith(runHistory(line.context, address, self.optsWithGlobals())),
  );
}

function historyCommand({ command }: CommandLine) {
  return command
    .argument('<what>', 'an address or a hostname')
    .option('--since <day>', 'leave out what ended before this day, YYYY-MM-DD', dayValue)
    .option('--until <day>', 'leave out what began after this day, YYYY-MM-DD', dayValue)
    .option('--ref <ref>', "the branch; else the remote's default one, else main, else HEAD")
    .addOption(answerOption());
}

async function runHistory(
  context: CliContext,
  text: string,
  options: OptionsOf<typeof historyCommand>,
): Promise<number> {
  const question = parseQuestion(text);
  if (question.kind === 'nothing') throw new UsageError(question.reason);
  const { since, until, ref } = options;
  const span = { since, until, ref };
  const repository = openRepository(workingRoot(context, options));
  const history =
    question.kind === 'address'
      ? await addressHistory(repository, question.address, span)
      : await hostnameHistory(repository, hostnameIn(text), span);
  if (history.shallow) {
    context.err(
      'the clone is shallow: what was before its oldest commit is not known (git fetch --unshallow)\n',
    );
  }
  const { periods } = history;
  const what = history.kind === 'AddressHistory' ? history.address : history.hostname;
  if (periods.length === 0) {
    const isSpan = since !== undefined || until !== undefined;
    const none = isSpan ? 'had no record of it in that time' : 'never had a record of it';
    return reportRefusal(context, [`${what}: ${history.ref} ${none}`]);
  }
  context.err(`${what}: ${sanitize(history.ref)} has this history\n`);
  const answer = { ...history, day: context.today() };
  const printers = { table: historyTable, csv: historyCsv };
  context.out(answerText(context, answer, options.output, printers));
  return exit.fine;
}

/** The hostname that a person asks for. Throws a UsageError for another text. */
function hostnameIn(text: string): string {
  const reason = hostnameReason(text);
  if (reason === undefined) return text;
  throw new UsageError(
    text.includes('/')
      ? `history takes an address or a hostname; leasehold who ${shellWord(text)} shows the addresses of a block, Service or holder`
      : `'${text}' is not an IP address and not a hostname: ${reason}`,
  );
}

/** `leasehold verify-history`. */
export function addVerifyHistoryCommand(line: CommandLine): void {
  verifyHistoryCommand(line).action((_, self) =>
    line.exitWith(runVerifyHistory(line.context, self.optsWithGlobals())),
  );
}

function verifyHistoryCommand({ command }: CommandLine) {
  return command
    .requiredOption('--allowed-signers <file>', "ssh-keygen's file of signers; not from this tree")
    .option('--base <ref>', 'check only commits that this one does not contain')
    .option('--head <ref>', 'check the commits of this one', 'HEAD')
    .option(
      '--pass-clean-merges',
      'accept a merge in which each file equals that of a parent',
      false,
    )
    .addOption(answerOption());
}

async function runVerifyHistory(
  context: CliContext,
  options: OptionsOf<typeof verifyHistoryCommand>,
): Promise<number> {
  const root = workingRoot(context, options);
  const allowedSigners = resolve(context.cwd, options.allowedSigners);
  if (!relative(root, allowedSigners).startsWith('..')) {
    context.err(
      'the file of allowed signers is in the tree that is checked: anyone who changes the tree can add a signer\n',
    );
  }
  const { base, head, passCleanMerges } = options;
  const range = { base, head, allowedSigners, passCleanMerges };
  const repository = openRepository(root);
  const report = await verifyHistory(repository, range);
  const { id: commit } = await repository.commits.resolve(head);
  const answer = signatureReportOf(report, { day: context.today(), commit });
  const printers = {
    table: (_: object, style: TableStyle) => faultyTable(report, style),
    csv: () => faultyCsv(report),
  };
  context.out(answerText(context, answer, options.output, printers));
  context.err(signatureCounts(report));
  return report.faulty.length === 0 ? exit.fine : exit.problems;
}
