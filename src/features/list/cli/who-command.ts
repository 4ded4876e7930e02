import { answerOption, answerText, stateFields } from '../../../core/cli/answer.ts';
import { exit } from '../../../core/cli/cli-context.ts';
import { reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { noteProblems, openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { isLeaseClaim } from '../../../core/model/claim.ts';
import { holderText } from '../../../core/model/holder.ts';
import { answeringNames } from '../../../core/model/hostname.ts';
import { leaseIdText, pastLeaseAdvice } from '../../../core/model/lease.ts';
import { canonicalAdvice } from '../../../core/net/dns-name.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { parseQuestion, type Question } from '../../../core/text/question.ts';
import { meantName, wholeName } from '../../../core/text/short-account.ts';
import { hostnamesNamed, waitingHostnames } from '../../../lib/list/hostnames.ts';
import { type Who, whoHas } from '../../../lib/list/who.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../../lib/list/workspace-snapshot.ts';
import { whoCsv, whoTable } from '../who-text.ts';

/** `leasehold who`. */
export const whoCommand = command(
  (bare) =>
    bare
      .argument(
        '<what>',
        'an address, a CIDR block, a holder, owner, IP endpoint, dseq, sharing key, service, hostname or DNS name',
      )
      .addOption(answerOption()),
  async (context, options, [what]) => {
    const question = parseQuestion(what);
    if (question.kind === 'nothing') throw new UsageError(question.reason);
    const { tree, repository } = openTree(context, options);
    const known = await readWorkspaceSnapshot(tree, repository.history);
    if (!known.ok) return reportTreeProblems(context, repository, known.problems);
    noteProblems(context, known.value.problems.length);
    const asked = question.kind === 'name' ? wholeQuestion(question.name, known.value) : question;
    const { items, waiting } = whoHas(asked, known.value);
    const named = asked.kind === 'name' ? hostnamesNamed(known.value, asked.name) : [];
    const unnamed = waitingHostnames(known.value).filter(({ hostname }) =>
      answeringNames(what).includes(hostname),
    );
    const missing = [
      ...waiting.map(
        (holder) => `${holder} is declared and has no address yet; run \`leasehold synth\``,
      ),
      ...unnamed.map(
        ({ hostname, holder }) =>
          `the hostname ${hostname} is declared by ${holderText(holder)} and not given yet; run \`leasehold synth\``,
      ),
    ];
    if (items.length + named.length === 0) {
      const none =
        question.kind === 'range'
          ? `no address of ${what} is held or recorded`
          : `nothing has the name ${what}: no holder, owner, IP endpoint, dseq, sharing key, service, namespace or DNS name with an address, and no hostname${pastLeaseAdvice(what) || canonicalAdvice(what) || meantName(what, namesIn(known.value))}`;
      return reportRefusal(context, missing.length > 0 ? missing : [none]);
    }
    context.err(missing.map((line) => `${sanitize(line)}\n`).join(''));
    const { output } = options;
    if (output === 'csv' && items.length > 0 && named.length > 0) {
      throw new UsageError(
        `${what} has addresses and hostnames, which have different columns: use -o json, or \`leasehold list -o csv\` and \`leasehold list --hostnames -o csv\``,
      );
    }
    const about = await stateFields(context, repository, output);
    const hostnames = named.length > 0 ? { hostnames: named } : {};
    const found = { ...about, asked: what, items, ...hostnames };
    const who: Who = { apiVersion: 'leasehold.dev/v1', kind: 'Who', ...found };
    context.out(answerText(context, who, output, { table: whoTable, csv: whoCsv }));
    return exit.fine;
  },
);

/** The question for a name, in which an account may be shortened as tables print it. */
function wholeQuestion(name: string, snapshot: WorkspaceSnapshot): Question {
  const leases = [...snapshot.claims.values()]
    .flat()
    .filter(isLeaseClaim)
    .map(({ lease }) => leaseIdText(lease));
  const whole = wholeName(name, [...namesIn(snapshot), ...leases]);
  if (!whole.ok) throw new UsageError(whole.reason);
  return { kind: 'name', name: whole.name };
}

/** The ids of holders with a record or a claim, and the hostnames. */
function namesIn({ table, claims, hostnameTable }: WorkspaceSnapshot): readonly string[] {
  const recorded = [...table.values(), ...hostnameTable.values()].map(({ holder }) => holder);
  return [...recorded, ...claims.keys(), ...hostnameTable.keys()];
}
