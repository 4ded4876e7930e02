import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { answerText, commitFields } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { declaredPool, declaredZone, knownOwner } from '../../../core/cli/declared-names.ts';
import { reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import {
  labelsValue,
  ownerValue,
  textsValue,
  todayOption,
} from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { bothFamilies } from '../../../core/net/address.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import {
  hostnamesCsv,
  hostnamesTable,
  listHostnames,
  noHostnamesText,
  waitingHostnames,
} from '../../../lib/list/hostnames.ts';
import { listHolders } from '../../../lib/list/list.ts';
import { readWorkspaceSnapshot } from '../../../lib/list/workspace-snapshot.ts';
import { freeRanges, freeRangesCsv, freeRangesTable } from '../free-ranges.ts';
import { filteredList, listOrders, listStates, sortedList } from '../list-query.ts';
import { listCsv, listTable, nothingLeasedText } from '../list-text.ts';

/** `leasehold list`. */
export const listCommand = command(listOptions, (context, options, [what]) =>
  runnerOf(what, options)(context, options),
);

function listOptions(bare: NewCommand) {
  return bare
    .argument('[what]', 'with -o values: only this holder, or namespace/name of a Reservation')
    .option('--pool <name>', 'only of this pool; may be repeated', textsValue, [])
    .option('--zone <name>', 'only of this zone; may be repeated', labelsValue, [])
    .option('--namespace <name>', 'only of this namespace; may be repeated', labelsValue, [])
    .option('--owner <owner>', 'only of this owner; may be repeated', ownersValue, [])
    .option(
      '--announced-by <word>',
      'only what is announced by l2 or bgp, or with this advertisement, interface, peer or community; may be repeated, then all must fit',
      textsValue,
      [],
    )
    .addOption(
      new Option(
        '--state <state>',
        'only in this state; retained: released and not yet free',
      ).choices(listStates),
    )
    .option('--expires-within <time>', 'only what becomes free within this time: 7d, 2w', daysValue)
    .addOption(
      new Option('--sort <order>', 'a table is by address, other formats by holder').choices(
        listOrders,
      ),
    )
    .addOption(
      new Option('--free', 'instead: the addresses that can be given, as ranges')
        .default(false)
        .conflicts(['namespace', 'owner', 'announcedBy', 'state', 'expiresWithin', 'sort']),
    )
    .addOption(
      new Option('--hostnames', 'instead: the hostnames, with the Services they are routed to')
        .default(false)
        .conflicts([
          ...['pool', 'zone', 'namespace', 'owner', 'announcedBy'],
          ...['state', 'expiresWithin', 'sort'],
          ...['free', 'family'],
        ]),
    )
    .addOption(new Option('--family <family>', 'with --free').choices(bothFamilies))
    .addOption(todayOption())
    .addOption(
      new Option('-o, --output <format>')
        .choices(['table', 'wide', 'json', 'yaml', 'csv', 'values'])
        .default('table'),
    );
}

type ListOptions = OptionsOf<typeof listOptions>;

function runnerOf(
  what: string | undefined,
  { free, family, hostnames, output }: ListOptions,
): (context: CliContext, options: ListOptions) => Promise<number> {
  if (family !== undefined && !free) throw new UsageError('--family needs --free');
  if (output === 'values') {
    if (free) throw new UsageError('-o values prints what holders have, which --free leaves out');
    if (hostnames) throw new UsageError('-o values prints addresses, and --hostnames has none');
    return (context, options) => runListValues(context, what, options);
  }
  if (what === undefined && hostnames) return runListHostnames;
  if (what === undefined) return free ? runListFree : runList;
  throw new UsageError(
    'list takes a name only with -o values; use `leasehold who` to look up a name',
  );
}

async function runList(context: CliContext, options: ListOptions): Promise<number> {
  const { output, pool, zone, namespace, owner, announcedBy, state, expiresWithin } = options;
  const { tree, repository } = openTree(context, options);
  const outcome = await listHolders(tree, repository.history, dayOf(context, options));
  if (!outcome.ok) return reportTreeProblems(context, repository, outcome.problems);
  const { list, pools, waiting } = outcome.value;
  assertDeclared(pools, options);
  const holders = list.items.map(({ holder }) => holder);
  const owners = owner.map((one) => knownOwner(one, holders));
  const names = { pools: pool, zones: zone, namespaces: namespace, owners, announcedBy };
  const found = filteredList(list, { ...names, state, expiresWithin });
  const order = options.sort ?? (isData(output) || output === 'csv' ? 'holder' : 'address');
  const answer = { ...sortedList(found, order), ...(await commitFields(repository, output)) };
  const table = list.items.length > 0 ? listTable : () => nothingLeasedText(waiting);
  context.out(answerText(context, answer, output, { table, csv: listCsv }));
  if (found.items.length === 0 && list.items.length > 0) {
    context.err('no address passes the filters\n');
  }
  if (waiting > 0) {
    const holders = waiting === 1 ? 'holder has' : 'holders have';
    context.err(`${waiting} ${holders} no address yet; run \`leasehold synth\`\n`);
  }
  return exit.fine;
}

/** `leasehold list --free`. */
async function runListFree(context: CliContext, options: ListOptions): Promise<number> {
  const { output, pool: names, zone: zones, family } = options;
  const { tree, repository } = openTree(context, options);
  const known = await readWorkspaceSnapshot(tree, repository.history);
  if (!known.ok) return reportTreeProblems(context, repository, known.problems);
  const { pools, table } = known.value;
  assertDeclared(pools, options);
  const asked = pools.pools.filter(
    ({ name, zone }) =>
      (names.length === 0 || names.includes(name)) && (zones.length === 0 || zones.includes(zone)),
  );
  const free = freeRanges(asked, table, { day: dayOf(context, options), family });
  const answer = { ...free, ...(await commitFields(repository, output)) };
  context.out(answerText(context, answer, output, { table: freeRangesTable, csv: freeRangesCsv }));
  for (const { name, state } of asked) {
    if (state === 'draining') context.err(`pool ${name} is draining: it gives no address\n`);
  }
  return exit.fine;
}

/** `leasehold list --hostnames`. */
async function runListHostnames(context: CliContext, options: ListOptions): Promise<number> {
  const { output } = options;
  const { tree, repository } = openTree(context, options);
  const known = await readWorkspaceSnapshot(tree, repository.history);
  if (!known.ok) return reportTreeProblems(context, repository, known.problems);
  const list = listHostnames(known.value, dayOf(context, options));
  const answer = { ...list, ...(await commitFields(repository, output)) };
  const waiting = waitingHostnames(known.value).length;
  const table = list.items.length > 0 ? hostnamesTable : () => noHostnamesText(waiting);
  context.out(answerText(context, answer, output, { table, csv: hostnamesCsv }));
  if (waiting > 0) {
    const hostnames = waiting === 1 ? 'hostname has' : 'hostnames have';
    context.err(`${waiting} declared ${hostnames} no record yet; run \`leasehold synth\`\n`);
  }
  return exit.fine;
}

function dayOf(context: CliContext, { today = context.today() }: ListOptions) {
  return today;
}

function assertDeclared(pools: Pools, { pool, zone }: ListOptions): void {
  for (const name of pool) declaredPool(pools, name);
  for (const name of zone) declaredZone(pools, name);
}

/** `leasehold list -o values`: fails when `what` has no address. */
async function runListValues(
  context: CliContext,
  what: string | undefined,
  options: ListOptions,
): Promise<number> {
  // Its module loads cdk8s, which the other queries do not need.
  const { allChartValues, chartValuesYaml } = await import('../chart-values.ts');
  const { tree, repository } = openTree(context, options);
  const outcome = await allChartValues(tree, repository.history, what);
  if (!outcome.ok) return reportTreeProblems(context, repository, outcome.problems);
  const { values, waiting } = outcome.value;
  const missing = waiting.map(
    (name) => `the Reservation ${name} has no address yet; run \`leasehold synth\``,
  );
  if (what !== undefined && values.length === 0) {
    const none = `no Reservation has the name or the holder ${what}`;
    return reportRefusal(context, missing.length > 0 ? missing : [none]);
  }
  context.err(missing.map((line) => `${sanitize(line)}\n`).join(''));
  context.out(chartValuesYaml(values));
  return exit.fine;
}

/** A time from the day of the run on, in days: `7d`, `2w`. */
function daysValue(text: string): number {
  const [, number, unit] = /^(0|[1-9]\d{0,4})([dw])$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It is not a time such as 7d or 2w.');
  return Number(number) * (unit === 'w' ? 7 : 1);
}

/** {@link ownerValue} of an option that may be repeated. */
function ownersValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, ownerValue(text)];
}
