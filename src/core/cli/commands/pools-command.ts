import { Option } from '@commander-js/extra-typings';
import {
  ownerOrders,
  ownerUsageCsv,
  ownerUsages,
  ownerUsageTable,
  sortedOwners,
} from '../../run/list/owner-usage.ts';
import { poolUsageCsv, poolUsages, poolUsageTable } from '../../run/list/pool-usage.ts';
import { readWorkspaceSnapshot } from '../../run/list/workspace-snapshot.ts';
import { answerOption, answerText, commitFields } from '../answer.ts';
import { exit, isData } from '../cli-context.ts';
import { declaredPool, declaredZone } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import { command } from '../feature.ts';
import { labelsValue, todayOption } from '../option-values.ts';
import { openTree, reportTreeProblems } from '../with-tree.ts';

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
