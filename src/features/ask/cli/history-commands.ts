import { relative, resolve } from 'node:path';
import { answerOption, answerText } from '../../../core/cli/answer.ts';
import { exit, workingRoot } from '../../../core/cli/cli-context.ts';
import { reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { dayValue } from '../../../core/cli/option-values.ts';
import { type Claim, isLeaseClaim } from '../../../core/model/claim.ts';
import { leaseIdBeginnings, pastLeaseAdvice } from '../../../core/model/lease.ts';
import { canonicalAdvice, hostnameReason } from '../../../core/net/dns-name.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import type { TableStyle } from '../../../core/text/print/table.ts';
import { parseQuestion, type Question } from '../../../core/text/question.ts';
import { readDeclared } from '../../../core/tree/declared.ts';
import { openRepository } from '../../../core/world/git/git-repository.ts';
import {
  addressHistory,
  type HistoryPorts,
  type HistorySpan,
  hostnameHistory,
} from '../../../lib/history/address-history.ts';
import {
  type AnyHistory,
  historyCsv,
  historyTable,
  isEmptyHistory,
} from '../history/address-history-text.ts';
import { holderHistory } from '../history/holder-history.ts';
import { signatureReportOf } from '../history/signature-report-answer.ts';
import {
  faultyCsv,
  faultyTable,
  signatureCounts,
  verifyHistory,
} from '../history/verify-history.ts';

/** `leasehold history`. Reads commits, not the working tree. */
export const historyCommand = command(
  (bare) =>
    bare
      .argument(
        '<what>',
        'an address, a hostname, a DNS name, a lease, or a holder: an owner, a namespace, an IP endpoint or NAMESPACE/NAME',
      )
      .option('--since <day>', 'leave out what ended before this day, YYYY-MM-DD', dayValue)
      .option('--until <day>', 'leave out what began after this day, YYYY-MM-DD', dayValue)
      .option('--ref <ref>', "the branch; else the remote's default one, else main, else HEAD")
      .addOption(answerOption()),
  async (context, options, [text]) => {
    const question = parseQuestion(text);
    if (question.kind === 'nothing') throw new UsageError(question.reason);
    const { since, until, ref } = options;
    const span = { since, until, ref };
    const repository = openRepository(workingRoot(context, options));
    const history = await historyOf(repository, question, span);
    if (history.shallow) {
      context.err(
        'the clone is shallow: what was before its oldest commit is not known (`git fetch --unshallow`)\n',
      );
    }
    if (isEmptyHistory(history)) {
      const isSpan = since !== undefined || until !== undefined;
      const none = isSpan ? 'had no record of it in that time' : 'never had a record of it';
      return reportRefusal(context, [`${text}: ${history.ref} ${none}${adviceFor(question)}`]);
    }
    const what = history.kind === 'AddressHistory' ? history.address : text;
    context.err(`${what}: ${sanitize(history.ref)} has this history\n`);
    const answer = { ...history, day: context.today() };
    const printers = { table: historyTable, csv: historyCsv };
    context.out(answerText(context, answer, options.output, printers));
    return exit.fine;
  },
);

/**
 * The history of an address or a hostname; of a holder, for a name that is no recorded hostname. A
 * DNS name, and the id of a lease, is that of the holders which declare it.
 */
async function historyOf(
  repository: HistoryPorts,
  question: Exclude<Question, { readonly kind: 'nothing' }>,
  span: HistorySpan,
): Promise<AnyHistory> {
  if (question.kind === 'address') return addressHistory(repository, question.address, span);
  if (question.kind === 'range') {
    throw new UsageError(
      'history takes one address; `leasehold who` shows the addresses of a block',
    );
  }
  const { name } = question;
  if (hostnameReason(name) === undefined) {
    const history = await hostnameHistory(repository, name, span);
    if (!isEmptyHistory(history)) return history;
  }
  const history = await holderHistory(repository, name, span);
  if (!isEmptyHistory(history)) return history;
  const { holders = [] } = readDeclared(await repository.commits.tree(history.commit));
  const named = holders.filter(({ claims }) => claims.some((claim) => isNamed(claim, name)));
  if (named.length === 0) return history;
  const ids = named.map(({ id }) => id);
  return { ...(await holderHistory(repository, name, span, ids)), asked: name };
}

/** True for a DNS name of a claim, or the dseq or a part of the id of its lease. */
function isNamed(claim: Claim, name: string): boolean {
  const ids = isLeaseClaim(claim) ? [claim.lease.dseq, ...leaseIdBeginnings(claim.lease)] : [];
  return ids.includes(name) || claim.dns.some((declared) => declared.name === name);
}

/** Advice on what else to ask for, as the end of a sentence; empty for an address and a canonical hostname. */
function adviceFor(question: Question): string {
  if (question.kind !== 'name' || hostnameReason(question.name) === undefined) return '';
  return (
    pastLeaseAdvice(question.name) ||
    canonicalAdvice(question.name) ||
    '; history knows holders by their account, namespace, IP endpoint, sharing key or NAMESPACE/NAME'
  );
}

/** `leasehold verify-history`. */
export const verifyHistoryCommand = command(
  (bare) =>
    bare
      .requiredOption(
        '--allowed-signers <file>',
        "ssh-keygen's file of signers; not from this tree",
      )
      .option('--base <ref>', 'check only commits that this one does not contain')
      .option('--head <ref>', 'check the commits of this one', 'HEAD')
      .option(
        '--pass-clean-merges',
        'accept a merge in which each file equals that of a parent',
        false,
      )
      .addOption(answerOption()),
  async (context, options) => {
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
  },
);
