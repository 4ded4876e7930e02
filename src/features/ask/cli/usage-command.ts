import { InvalidArgumentError } from '@commander-js/extra-typings';
import { answerOption, answerText } from '../../../core/cli/answer.ts';
import { exit, workingRoot } from '../../../core/cli/cli-context.ts';
import { reportProblems, reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { parseDay } from '../../../core/model/day.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { readPoolFile } from '../../../core/tree/declared.ts';
import { sourceLines } from '../../../core/tree/source-line.ts';
import { openRepository } from '../../../core/world/git/git-repository.ts';
import { recordLogOf } from '../../../lib/history/address-history.ts';
import { daysOfMonth, usageIn } from '../history/usage.ts';
import { usageCsv, usageTable } from '../history/usage-answer.ts';

/** `leasehold usage`. Reads commits, not the working tree. */
export const usageCommand = command(
  (bare) =>
    bare
      .requiredOption(
        '--month <month>',
        'the month, YYYY-MM; of a running one the ended days',
        monthValue,
      )
      .option('--ref <ref>', "the branch; else the remote's default one, else main, else HEAD")
      .addOption(answerOption()),
  async (context, { month, ref, output, ...options }) => {
    const day = context.today();
    const span = daysOfMonth(month, day);
    if (span.from === span.end) throw new UsageError(`no day of ${month} has ended`);
    const { commits, log } = openRepository(workingRoot(context, options));
    const records = await recordLogOf({ commits, log }, ref);
    if (records.shallow) {
      const reason = 'the clone is shallow, so days before its oldest commit are not known';
      return reportRefusal(context, [`${reason}: run \`git fetch --unshallow\``]);
    }
    const tree = await commits.tree(records.commit, [poolsPath]);
    const pools = readPoolFile(tree);
    if (!pools.ok) return reportProblems(context, pools.problems, sourceLines(tree));
    const usage = { ...usageIn(records, pools.value, span), day };
    const last = span.end.slice(0, 7) === month ? ` before ${span.end}` : '';
    context.err(`address-days of ${month}${last}, as ${sanitize(records.ref)} had the addresses\n`);
    context.out(answerText(context, usage, output, { table: usageTable, csv: usageCsv }));
    return exit.fine;
  },
);

/** A month as `YYYY-MM`. */
function monthValue(text: string): string {
  if (/^\d{4}-\d{2}$/.test(text) && parseDay(`${text}-01`) !== undefined) return text;
  throw new InvalidArgumentError('Expected a month as YYYY-MM.');
}
