import { type Command, Option } from 'commander';
import type { NetBoxChoice } from '../../features/import/netbox/netbox-choice.ts';
import { UsageError } from '../failure.ts';

/** What somebody says of an import from NetBox. */
export interface NetBoxOptions {
  readonly status: readonly string[];
  readonly tag: readonly string[];
  readonly role: readonly string[];
  readonly vrf: string | undefined;
  readonly zoneField: string | undefined;
  readonly givenField: string | undefined;
  readonly all: boolean | undefined;
  readonly poolPer: 'zone' | 'prefix' | undefined;
}

/** The options that say which prefixes and IP ranges of NetBox are pools. */
export function addNetBoxOptions(command: Command): Command {
  return command
    .option('--tag <name>', 'prefixes and ranges with this tag are pools; again for more', more, [])
    .option('--role <name>', 'those of this role; again for more', more, [])
    .option('--zone-field <name>', 'those with this custom field, which names their zone')
    .option('--all', 'all of the export')
    .option('--status <name>', 'only those of this status; again for more (active)', more, [])
    .option('--vrf <name>', 'only what is of this VRF, global for none')
    .option('--given-field <name>', 'what has this custom field is not reserved')
    .addOption(
      new Option(
        '--pool-per <what>',
        'a pool for each zone, or for each prefix: zone with --zone-field',
      ).choices(['zone', 'prefix']),
    );
}

/** What the options say. Nothing is a pool unless somebody has chosen it. */
export function netBoxChoice(options: NetBoxOptions): NetBoxChoice {
  const { status, tag, role, vrf, zoneField, givenField, all, poolPer } = options;
  const isChosen = tag.length > 0 || role.length > 0 || zoneField !== undefined;
  if (!isChosen && !all) {
    throw new UsageError(
      'say which prefixes of NetBox are pools: --tag, --role, --zone-field, or --all of the export',
    );
  }
  if (isChosen && all) {
    throw new UsageError('--all does not go with --tag, --role and --zone-field');
  }
  return {
    statuses: status.map((one) => one.toLowerCase()),
    tags: tag,
    roles: role,
    vrf,
    zoneField,
    givenField,
    per: poolPer ?? (zoneField === undefined ? 'prefix' : 'zone'),
  };
}

function more(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
