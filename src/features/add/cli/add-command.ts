import { Option } from '@commander-js/extra-typings';
import { commitFields, reportOption, reportText } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { group, subcommand } from '../../../core/cli/feature.ts';
import {
  addressesValue,
  clusterOption,
  dayValue,
  folderValue,
  todayOption,
} from '../../../core/cli/option-values.ts';
import type { Prompts } from '../../../core/cli/prompts.ts';
import { dateAheadOption, recordedDay, recordingOf } from '../../../core/cli/recording.ts';
import {
  type OpenTree,
  openTree,
  reportTreeProblems,
  withTree,
} from '../../../core/cli/with-tree.ts';
import { shownPath, shownSteps } from '../../../core/cli/workspace-place.ts';
import { addDays } from '../../../core/model/day.ts';
import { readDeclared } from '../../../core/tree/declared.ts';
import {
  assertClaim,
  assertDeclaration,
  externalPortOption,
  familyOption,
  leaseForm,
  leaseValue,
  poolOption,
  portNumberValue,
  portValue,
  retentionOption,
  selectorOption,
  zoneOption,
} from '../../../lib/edit/cli/claim-options.ts';
import { newSpecText } from '../../../lib/edit/declaration-edits.ts';
import { newServiceText } from '../../../lib/edit/service-text.ts';
import { type AddAnswer, addText } from '../add-answer.ts';
import { type Added, type Addition, planAddition } from '../add-declaration.ts';
import {
  addedOf,
  type Draft,
  hostnameValue,
  missingWords,
  reservedPortValue,
  servicePortValue,
  serviceValue,
} from './additions.ts';

/** `leasehold add`: one declaration, in a new file or in that of its lease. */
export const addCommand = group(
  subcommand(
    'lease',
    'a port of a lease of Akash',
    (bare) =>
      addition(bare)
        .argument('[lease]', leaseForm, leaseValue)
        .argument('[service]', "the lease's service")
        .argument('[port]', "the container's port: 80, 80/tcp or 53/udp", portValue)
        .option('--endpoint <name>', "the tenant's IP endpoint; those of one name share an address")
        .addOption(externalPortOption())
        .addOption(selectorOption()),
    (context, options, [lease, service, port]) => {
      const { externalPort, endpoint, selector } = options;
      if (options.address.length > 1) {
        throw new UsageError('an endpoint has one pin: give --address once');
      }
      const known = { lease, service, port, externalPort, endpoint, selector };
      return runAdd(context, { kind: 'Lease', ...known, terms: options }, options);
    },
  ),
  subcommand(
    'service',
    'a Service of type LoadBalancer',
    (bare) =>
      addition(bare)
        .argument('[service]', 'NAMESPACE/NAME', serviceValue)
        .argument(
          '[port...]',
          'a port: 80, 80:8080 with that of the pods, https=443:8443 or 53/udp',
          servicePortValue,
        )
        .addOption(selectorOption())
        .addOption(sharingKeyOption()),
    (context, options, [service, ports = []]) => {
      const { selector, sharingKey } = options;
      const known = { service, ports, selector, sharingKey };
      return runAdd(context, { kind: 'Service', ...known, terms: options }, options);
    },
  ),
  subcommand(
    'promise',
    'an address for an IP endpoint of Akash, before its lease',
    (bare) =>
      declaration(bare)
        .argument('[owner]', 'the account akash1…')
        .argument('[endpoint]', 'the name of the IP endpoint')
        .option(
          '--until <day>',
          'the last day, YYYY-MM-DD, at most 30 days ahead; default: in 7 days',
          dayValue,
        ),
    (context, options, [owner, endpoint]) => {
      const usualUntil = addDays(recordedDay(context, options), 7);
      const known = { owner, endpoint, until: options.until, usualUntil };
      const terms = { ...options, address: [] };
      return runAdd(context, { kind: 'Promise', ...known, terms }, options);
    },
  ),
  subcommand(
    'hostname',
    'a hostname that is routed to a Service',
    (bare) =>
      written(bare)
        .argument(
          '[hostname]',
          'in lower case and punycode; the first label can be *',
          hostnameValue,
        )
        .argument('[service]', 'NAMESPACE/NAME', serviceValue)
        .argument('[port]', 'a port of the Service', portNumberValue),
    (context, options, [hostname, service, port]) => {
      const known = { hostname, service, port, cluster: options.cluster };
      return runAdd(context, { kind: 'Hostname', ...known }, options);
    },
  ),
  subcommand(
    'reservation',
    'an address for a Service that a chart renders',
    (bare) =>
      addition(bare)
        .argument('[service]', 'NAMESPACE/NAME', serviceValue)
        .argument('[port...]', 'a port: 80, 443/tcp or 53/udp', reservedPortValue)
        .addOption(sharingKeyOption()),
    (context, options, [service, ports = []]) => {
      const known = { service, ports, sharingKey: options.sharingKey };
      return runAdd(context, { kind: 'Reservation', ...known, terms: options }, options);
    },
  ),
);

function sharingKeyOption() {
  return new Option(
    '--sharing-key <key>',
    'Services of one namespace and one key share an address',
  );
}

/** The options that every kind of claim has. */
function addition(bare: NewCommand) {
  return declaration(bare)
    .option('--address <address>', 'a pin: the exact address', addressesValue, [])
    .addOption(retentionOption());
}

/** The options of every declaration that asks for an address. */
function declaration(bare: NewCommand) {
  return written(bare).addOption(zoneOption()).addOption(poolOption()).addOption(familyOption());
}

/** The options that every kind of declaration has. */
function written(bare: NewCommand) {
  return bare
    .addOption(clusterOption('the declared cluster; the default one when left out'))
    .option(
      '--folder <folder>',
      'the folder of a new file; by default where its like are',
      folderValue,
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

type WriteOptions = OptionsOf<typeof written>;

/** Asks for a first declaration in a new repository, and writes it. */
export function addFirst(
  context: CliContext,
  kind: 'Lease' | 'Service',
  options: WriteOptions,
): Promise<number> {
  const terms = { address: [] };
  return runAdd(context, kind === 'Lease' ? { kind, terms } : { kind, ports: [], terms }, options);
}

async function runAdd(context: CliContext, given: Draft, options: WriteOptions): Promise<number> {
  const missing = missingWords(given);
  const added = addedOf(given);
  if (missing.length === 0 && added) return write(context, added, options);
  if (context.asking === undefined) {
    throw new UsageError(`add ${given.kind.toLowerCase()} needs ${missing.join(', ')}`);
  }
  const { tree, repository } = openTree(context, options);
  const declared = readDeclared(tree);
  if (declared.problems.length > 0) {
    return reportTreeProblems(context, repository, declared.problems);
  }
  const [{ promptsAt, Stopped }, { askDraft }] = await Promise.all([
    import('../../../core/cli/prompts.ts'),
    import('./add-questions.ts'),
  ]);
  const prompts = promptsAt(context.asking);
  try {
    const draft = await askDraft(prompts, given, declared);
    const asked = addedOf(draft);
    if (!asked) throw new UsageError(`add needs ${missingWords(draft).join(', ')}`);
    return await write(context, asked, options, prompts);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    context.err('leasehold: stopped; no declaration is written\n');
    return exit.stopped;
  }
}

async function write(
  context: CliContext,
  added: Added,
  options: WriteOptions,
  prompts?: Prompts,
): Promise<number> {
  assertValid(added);
  const plan = async (open: OpenTree) => {
    const recording = await recordingOf(context, open, options);
    const where = { folder: options.folder, ...recording };
    const planned = await planAddition(open.tree, open.repository.history, added, where);
    return { planned, hasBase: recording.base !== undefined };
  };
  if (prompts) {
    // The lock is not held during the prompt, so the tree is read again under it.
    const { planned } = await plan(openTree(context, options));
    if (planned.ok && !(await isConfirmed(prompts, planned.value))) {
      context.err('leasehold: nothing is written\n');
      return exit.fine;
    }
  }
  return withTree(context, options, async (locked) => {
    const { planned, hasBase } = await plan(locked);
    if (!planned.ok) return planned;
    const { answer, changes } = planned.value;
    await locked.tree.commit(changes);
    const commit = await commitFields(locked.repository, options.output);
    const hasCommit = hasBase || (await locked.repository.history.committed?.()) !== undefined;
    const shown = (added: AddAnswer) =>
      shownSteps(context, addText({ ...added, file: shownPath(context, added.file) }, hasCommit));
    context.out(reportText({ ...answer, ...commit }, options.output, shown));
    return exit.fine;
  });
}

/** Throws a UsageError with all problems of a declaration that do not depend on the repository. */
function assertValid(added: Added): void {
  if (added.kind === 'Lease') {
    const { cluster: _, ...id } = added.lease;
    assertClaim(id, added.claim);
    return;
  }
  const isSpec = added.kind === 'Promise' || added.kind === 'Hostname';
  assertDeclaration(isSpec ? newSpecText(added) : newServiceText(added));
}

async function isConfirmed(prompts: Prompts, { answer, changes }: Addition): Promise<boolean> {
  const [[file, text] = []] = changes.writes;
  if (file === undefined || text === undefined) return true;
  prompts.show(text);
  const { addresses, routedTo } = answer;
  const result = routedTo ? `routes it to ${routedTo}` : `gives it ${addresses.join(' and ')}`;
  return prompts.confirm(`Write ${file}? synth ${result}`, true);
}
