import { InvalidArgumentError } from '@commander-js/extra-typings';
import { exit } from '../../../core/cli/cli-context.ts';
import { declaredCluster, knownOwner } from '../../../core/cli/declared-names.ts';
import { reportProblems } from '../../../core/cli/failure.ts';
import { group, subcommand } from '../../../core/cli/feature.ts';
import { readSourceFile } from '../../../core/cli/input-files.ts';
import { clusterOption } from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { isAkashAddress } from '../../../core/declarations/akash-fields.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { isShortAccount } from '../../../core/text/short-account.ts';
import { explainTemplates } from '../../../core/text/yaml/template-hints.ts';
import { inputLines } from '../../../core/tree/source-line.ts';
import { readWorkspaceSnapshot } from '../../../lib/list/workspace-snapshot.ts';
import { fillSdl } from '../filled-sdl.ts';

/** `leasehold sdl`: the SDL of a tenant, with what is known of its addresses. */
export const sdlCommands = group(
  subcommand(
    'fill',
    'print an SDL with leased addresses in place of $(leased.NAME)',
    (bare) =>
      bare
        .argument('<file>', 'the SDL, - for standard input')
        .requiredOption('--owner <account>', 'the tenant who has the addresses', akashAccountValue)
        .addOption(clusterOption()),
    async (context, { owner, ...options }, [name]) => {
      const file = await readSourceFile(context, name);
      const { tree, repository } = openTree(context, options);
      const snapshot = await readWorkspaceSnapshot(tree, repository.history);
      if (!snapshot.ok) return reportTreeProblems(context, repository, snapshot.problems);
      const { pools, table, claims } = snapshot.value;
      const cluster = declaredCluster(pools, options.cluster).name;
      const holders = [...table.values()].map(({ holder }) => holder);
      const whole = knownOwner(owner, [...holders, ...claims.keys()]);
      const sdl = explainTemplates(fillSdl(file, { owner: whole, cluster }, snapshot.value), [
        file,
      ]);
      if (!sdl.ok) return reportProblems(context, sdl.problems, inputLines([file]));
      const { bytes, filled } = sdl.value;
      const notes = [...filled].map(([text, address]) => `${text} is ${formatAddress(address)}\n`);
      context.err(
        notes.length === 0 ? 'the SDL has no placeholder: it is unchanged\n' : notes.join(''),
      );
      context.out(Buffer.from(bytes).toString('utf8'));
      return exit.fine;
    },
  ),
);

/** An account of the Akash network. */
function akashAccountValue(text: string): string {
  if (isAkashAddress(text) || isShortAccount(text)) return text;
  throw new InvalidArgumentError('It is not an account akash1….');
}
