import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { dataText, tableOption, tableStyle } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData, workingRoot } from '../../../core/cli/cli-context.ts';
import type { GlobalOptions, NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { group, subcommand } from '../../../core/cli/feature.ts';
import { readSecret } from '../../../core/cli/input-files.ts';
import { countValue, todayOption } from '../../../core/cli/option-values.ts';
import { tell } from '../../../core/cli/tell.ts';
import { reportProblemsAt } from '../../../core/cli/with-tree.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { dnsNameFault, isInDomain } from '../../../core/net/dns-name.ts';
import {
  type AddressRange,
  formatRange,
  isRange,
  parseRange,
  rangeSize,
} from '../../../core/net/range.ts';
import { openRepository } from '../../../core/world/git/git-repository.ts';
import { clock } from '../../../core/world/machine.ts';
import {
  addressExportCsv,
  type CommittedAddresses,
  committedAddresses,
} from '../address-export.ts';
import { applyNetBoxExport, planNetBoxExport } from '../netbox/netbox-export.ts';
import {
  type NetBoxExport,
  netBoxExportNotes,
  netBoxExportTable,
} from '../netbox/netbox-export-answer.ts';
import { netBoxApi } from '../netbox/world/netbox-api.ts';
import { isSubnetZone, reverseZone, subnetLabel } from '../reverse-name.ts';
import { exportZone, zoneText } from '../zone-export.ts';

/** `leasehold export`: the addresses and DNS records of a commit for other programs. */
export const exportCommands = group(
  subcommand(
    'netbox',
    'compare NetBox with the addresses of a commit, or update it',
    netBoxOptions,
    runNetBox,
  ),
  subcommand(
    'addresses',
    'print each address that is not free, for other inventories',
    addressesOptions,
    runAddresses,
  ),
  subcommand(
    'zone',
    'print the DNS records of leased addresses as a zone file',
    zoneOptions,
    runZone,
  ),
);

function refOption() {
  return new Option('--ref <ref>', 'the commit whose records are read').default('HEAD');
}

type Source = GlobalOptions & {
  readonly ref: string;
  readonly today?: ReturnType<CliContext['today']>;
};

/** Reads the commit of an export; a number is the exit status of what was reported. */
async function readCommitted(
  context: CliContext,
  { ref, today = context.today(), ...options }: Source,
): Promise<CommittedAddresses | number> {
  const repository = openRepository(workingRoot(context, options));
  const read = await committedAddresses(repository, ref, today);
  if (!read.ok) return reportProblemsAt(context, repository, ref, read.problems);
  if (!read.value.shallow) return read.value;
  const reason = 'the clone is shallow, so the commits of addresses are not known';
  return reportRefusal(context, [`${reason}: run \`git fetch --unshallow\``]);
}

function addressesOptions(bare: NewCommand) {
  return bare
    .addOption(refOption())
    .addOption(todayOption())
    .addOption(new Option('-o, --output <format>').choices(['csv', 'json', 'yaml']).default('csv'));
}

async function runAddresses(
  context: CliContext,
  options: OptionsOf<typeof addressesOptions>,
): Promise<number> {
  const read = await readCommitted(context, options);
  if (typeof read === 'number') return read;
  const { output } = options;
  context.out(isData(output) ? dataText(read.answer, output) : addressExportCsv(read.answer));
  return exit.fine;
}

function zoneOptions(bare: NewCommand) {
  return bare
    .addOption(
      new Option(
        '--zone <zone>',
        'only DNS records in this DNS zone, with names relative to it',
      ).argParser(zoneValue),
    )
    .option('--reverse', 'PTR records, in place of A and AAAA', false)
    .addOption(
      new Option(
        '--delegated <range>',
        'with --reverse and a --zone of RFC 2317: the addresses that the zone is for',
      ).argParser(delegatedValue),
    )
    .addOption(refOption())
    .addOption(todayOption())
    .addOption(
      new Option('-o, --output <format>').choices(['zone', 'json', 'yaml']).default('zone'),
    );
}

/**
 * Throws a UsageError for a zone of RFC 2317 without its addresses, and for addresses whose zone is
 * another one.
 */
function assertDelegated({ zone, reverse, delegated }: OptionsOf<typeof zoneOptions>): void {
  if (!delegated) {
    if (!zone || !isSubnetZone(zone)) return;
    throw new UsageError(
      `${zone} is a zone of RFC 2317: give its addresses with --reverse and --delegated, such as 203.0.113.0/25`,
    );
  }
  if (!zone || !reverse) throw new UsageError('--delegated needs --reverse and --zone');
  if (!isInDomain(zone, 'in-addr.arpa')) return;
  const parent = reverseZone(delegated.from);
  const label = zone.slice(0, -parent.length - 1);
  if (zone === `${label}.${parent}` && /^[^.]*[^.\d][^.]*$/.test(label)) return;
  throw new UsageError(
    `${zone} is no zone of RFC 2317 for ${formatRange(delegated)}: expected one such as 0-25.${parent}`,
  );
}

async function runZone(
  context: CliContext,
  options: OptionsOf<typeof zoneOptions>,
): Promise<number> {
  const { ref, zone, reverse, delegated, today: day = context.today(), output } = options;
  assertDelegated(options);
  const repository = openRepository(workingRoot(context, options));
  const read = await exportZone(repository.commits, { ref, day, zone, reverse, delegated });
  if (!read.ok) return reportProblemsAt(context, repository, ref, read.problems);
  context.out(isData(output) ? dataText(read.value, output) : zoneText(read.value));
  if (read.value.records.length === 0) context.err(`${noRecords(zone, reverse)}\n`);
  return exit.fine;
}

function noRecords(zone: string | undefined, reverse: boolean): string {
  const kind = reverse ? 'PTR record' : 'DNS name';
  return zone === undefined ? `no address has a ${kind}` : `no ${kind} is in the DNS zone ${zone}`;
}

function netBoxOptions(bare: NewCommand) {
  return bare
    .addOption(new Option('--dry-run', 'print the changes; write nothing').conflicts('apply'))
    .option('--apply', 'make the changes in NetBox')
    .option('--api <url>', 'the address of NetBox; NETBOX_API when left out')
    .option(
      '--token-file <file>',
      'the file of the API token, - for standard input; NETBOX_TOKEN when left out',
    )
    .option(
      '--tag <slug>',
      'the tag of the objects; another one for each repository',
      'leasehold-export',
    )
    .option('--vrf <name>', 'the VRF of the objects; the global table when left out')
    .option('--tenant <slug>', 'the tenant of the objects; left as it is when left out')
    .option('--create-missing', 'with --apply: create the tag and the custom fields', false)
    .addOption(
      new Option(
        '--allow-delete <count>',
        'allow the export to delete exactly this many objects',
      ).argParser(countValue),
    )
    .addOption(refOption())
    .addOption(todayOption())
    .addOption(tableOption());
}

type NetBoxOptions = OptionsOf<typeof netBoxOptions>;

async function runNetBox(context: CliContext, options: NetBoxOptions): Promise<number> {
  const { apply = false, dryRun = false, tag, vrf, tenant, createMissing, allowDelete } = options;
  const api = options.api ?? context.env.NETBOX_API;
  if (apply === dryRun) throw new UsageError('choose --dry-run or --apply');
  if (!api) throw new UsageError('name the address of NetBox with --api or in NETBOX_API');
  const netbox = netBoxApi({ url: api, ...(await tokenOf(context, options)) }, { clock });
  const isOfHead = options.ref === 'HEAD';
  if (isOfHead && (await openRepository(workingRoot(context, options)).commits.isDirty())) {
    const reason = 'leases/ or dist/ has uncommitted changes, which are not exported';
    if (apply) return reportRefusal(context, [`${reason}: commit them first`]);
    context.err(`${reason}\n`);
  }
  const read = await readCommitted(context, options);
  if (typeof read === 'number') return read;
  const plan = await planNetBoxExport(netbox, read, { tag, vrf, tenant, allowDelete });
  const answer = apply ? await applyNetBoxExport(netbox, plan, createMissing) : plan.answer;
  return printNetBox(context, answer, options.output);
}

function printNetBox(context: CliContext, answer: NetBoxExport, output: string): number {
  if (isData(output)) context.out(dataText(answer, output));
  else context.out(netBoxExportTable(answer, tableStyle(context, output)));
  tell(context, netBoxExportNotes(answer));
  if (answer.failure !== undefined) return exit.environment;
  return answer.problems.length > 0 ? exit.problems : exit.fine;
}

/** The token in a file, or in the environment. */
async function tokenOf(
  context: CliContext,
  { tokenFile }: Pick<NetBoxOptions, 'tokenFile'>,
): Promise<{ readonly token: string; readonly tokenFrom: string }> {
  if (tokenFile !== undefined) {
    const token = Buffer.from(await readSecret(context, tokenFile)).toString('utf8');
    return { token, tokenFrom: tokenFile === '-' ? 'standard input' : tokenFile };
  }
  const token = context.env.NETBOX_TOKEN;
  if (token) return { token, tokenFrom: 'NETBOX_TOKEN' };
  throw new EnvironmentError(
    'a token of NetBox is needed: set NETBOX_TOKEN in the environment, or name a file with --token-file',
  );
}

/** A DNS zone in canonical form. The first label can be that of a subnet. */
function zoneValue(text: string): string {
  const subnet = subnetLabel(text);
  const fault = dnsNameFault(text.slice(subnet.length), 'domain');
  if (!fault) return text;
  const { reason, canonical } = fault;
  throw new InvalidArgumentError(
    canonical === undefined ? `${reason}.` : `Write ${subnet}${canonical}.`,
  );
}

/** The addresses of a reverse zone of RFC 2317. */
function delegatedValue(text: string): AddressRange {
  const range = parseRange(text);
  if (!isRange(range)) throw new InvalidArgumentError(`${range.reason}.`);
  const { from, to } = range;
  if (from.family === 'ipv4' && from.value >> 8n === to.value >> 8n && rangeSize(range) < 256n) {
    return range;
  }
  throw new InvalidArgumentError(
    'RFC 2317 is for fewer than 256 IPv4 addresses with the same first three numbers.',
  );
}
