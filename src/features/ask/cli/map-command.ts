import { Option } from '@commander-js/extra-typings';
import { answerOption, answerText, commitFields, tableStyle } from '../../../core/cli/answer.ts';
import { exit } from '../../../core/cli/cli-context.ts';
import { declaredPool } from '../../../core/cli/declared-names.ts';
import { command } from '../../../core/cli/feature.ts';
import { todayOption } from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { bothFamilies } from '../../../core/net/address.ts';
import { readWorkspaceSnapshot } from '../../../lib/list/workspace-snapshot.ts';
import { type AddressMap, addressMap } from '../address-map.ts';
import { addressMapCsv, addressMapText } from '../address-map-text.ts';

/** `leasehold map`. */
export const mapCommand = command(
  (bare) =>
    bare
      .argument('[pool]', 'the pool; may be left out when there is only one')
      .addOption(new Option('--family <family>', 'only this family').choices(bothFamilies))
      .option('--ascii', 'draw with ASCII characters only', false)
      .addOption(todayOption())
      .addOption(answerOption()),
  async (context, options, [name]) => {
    const { family, ascii, output, today = context.today() } = options;
    const { tree, repository } = openTree(context, options);
    const known = await readWorkspaceSnapshot(tree, repository.history);
    if (!known.ok) return reportTreeProblems(context, repository, known.problems);
    const { pools, table } = known.value;
    const commit = await commitFields(repository, output);
    const map = {
      ...addressMap(declaredPool(pools, name), table, { day: today, family }),
      ...commit,
    };
    const drawn = (answer: AddressMap) =>
      addressMapText(answer, { ...tableStyle(context, output), ascii });
    context.out(answerText(context, map, output, { table: drawn, csv: addressMapCsv }));
    return exit.fine;
  },
);
