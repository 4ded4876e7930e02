import { Option } from '@commander-js/extra-typings';
import { answerOption, answerText, commitFields } from '../../../core/cli/answer.ts';
import { exit, isData } from '../../../core/cli/cli-context.ts';
import { declaredPool, declaredZone } from '../../../core/cli/declared-names.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { labelsValue, todayOption } from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import {
  ownerOrders,
  ownerUsageCsv,
  ownerUsages,
  ownerUsageTable,
  sortedOwners,
} from '../../../lib/list/owner-usage.ts';
import { poolUsageCsv, poolUsages, poolUsageTable } from '../../../lib/list/pool-usage.ts';
import { readWorkspaceSnapshot } from '../../../lib/list/workspace-snapshot.ts';

/** `leasehold pools`. */
export const poolsCommand = command(
  (bare) =>
    bare
      .argument('[pool...]', 'only these pools')
      .option('--zone <name>', 'only pools of this zone; may be repeated', labelsValue, [])
      .option('--owners', 'what each owner has, and what its quota leaves', false)
      .addOption(
        new Option(
          '--sort <order>',
          'with --owners: the most addresses first (use, as the table is), or what is left of quotas',
        ).choices(ownerOrders),
      )
      .addOption(todayOption())
      .addOption(answerOption()),
  async (context, options, [names]) => {
    const { owners, zone: zones, sort, output, today = context.today() } = options;
    if (owners && names.length + zones.length > 0) {
      throw new UsageError('--owners counts all pools together and takes no pool or zone names');
    }
    if (!owners && sort !== undefined) throw new UsageError('--sort needs --owners');
    const { tree, repository } = openTree(context, options);
    const known = await readWorkspaceSnapshot(tree, repository.history);
    if (!known.ok) return reportTreeProblems(context, repository, known.problems);
    const commit = await commitFields(repository, output);
    if (owners) {
      const order = sort ?? (isData(output) || output === 'csv' ? 'owner' : 'use');
      const usages = sortedOwners({ ...ownerUsages(known.value, today), ...commit }, order);
      const printers = { table: ownerUsageTable, csv: ownerUsageCsv };
      context.out(answerText(context, usages, output, printers));
      return exit.fine;
    }
    for (const name of names) declaredPool(known.value.pools, name);
    for (const name of zones) declaredZone(known.value.pools, name);
    const all = { ...poolUsages(known.value, today), ...commit };
    const items = all.items.filter(
      ({ pool, zone }) =>
        (names.length === 0 || names.includes(pool)) &&
        (zones.length === 0 || zones.includes(zone)),
    );
    const printers = { table: poolUsageTable, csv: poolUsageCsv };
    context.out(answerText(context, { ...all, items }, output, printers));
    return exit.fine;
  },
);
