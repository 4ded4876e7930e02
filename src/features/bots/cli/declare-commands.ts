import { InvalidArgumentError } from '@commander-js/extra-typings';
import { reportText, valuesOption } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportProblems, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { clusterOption, dayValue, todayOption } from '../../../core/cli/option-values.ts';
import { dateAheadOption, givenDay } from '../../../core/cli/recording.ts';
import type { WrittenPromise } from '../../../core/declarations/promise/promise-file.ts';
import {
  branchContext,
  branchOption,
  notePull,
  remoteOption,
} from '../../../lib/branch/cli/branch-options.ts';
import {
  assertClaim,
  assertDeclaration,
  claimOf,
  externalPortOption,
  familyOption,
  leaseForm,
  leaseValue,
  type PortValue,
  poolOption,
  portNumberValue,
  portValue,
  retentionOption,
  selectorOption,
  zoneOption,
} from '../../../lib/edit/cli/claim-options.ts';
import { newSpecText } from '../../../lib/edit/declaration-edits.ts';
import type { LeaseName } from '../../../lib/edit/lease-edits.ts';
import { declarationNote, declarationText, purgeNote, purgeText } from '../bot-text.ts';
import { declare } from '../declare.ts';
import { declarePromise } from '../declare-promise.ts';
import { purge } from '../purge.ts';

/** `leasehold declare`. */
export const declareCommand = command(declareOptions, (context, options, [lease, service, port]) =>
  runDeclare(context, { lease, service, port }, options),
);

function declareOptions(bare: NewCommand) {
  return bare
    .addOption(branchOption())
    .addOption(remoteOption())
    .argument('[lease]', leaseForm, leaseValue)
    .argument('[service]', "the lease's service")
    .argument('[port]', "the container's port: 80, 80/tcp or 53/udp", portValue)
    .requiredOption(
      '--endpoint <name>',
      "the tenant's IP endpoint; those of one name share an address",
    )
    .option('--promise <owner>', 'promise an address to an owner that has no lease yet')
    .option('--until <day>', 'with --promise: the last day, YYYY-MM-DD', dayValue)
    .addOption(externalPortOption())
    .addOption(zoneOption())
    .addOption(poolOption())
    .addOption(familyOption())
    .option('--address <address>', 'a pin: the exact address')
    .addOption(retentionOption())
    .addOption(selectorOption())
    .addOption(clusterOption('the declared cluster; the default one when left out'))
    .option(
      '--overwrite',
      'take an existing claim over from another lease of the same owner',
      false,
    )
    .option('--message <text>', 'the subject of the commit', subjectValue)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(valuesOption('addresses'));
}

type DeclareOptions = OptionsOf<typeof declareOptions>;

/** The arguments of `declare` and `purge` that name a claim. */
interface ClaimArguments {
  readonly service: string | undefined;
  readonly port: PortValue | undefined;
}

type LeaseWords = Omit<LeaseName, 'cluster'>;

async function runDeclare(
  context: CliContext,
  words: ClaimArguments & { readonly lease: LeaseWords | undefined },
  options: DeclareOptions,
): Promise<number> {
  const wanted =
    options.promise === undefined ? claimFor(words, options) : promiseFor(words, options);
  const bot = await branchContext(context, options, givenDay(context, options));
  const { overwrite, message: subject } = options;
  const ended =
    wanted.kind === 'Promise'
      ? await declarePromise(bot, { promise: wanted, subject })
      : await declare(bot, { ...wanted, overwrite, subject });
  if (ended.kind === 'problems') return reportProblems(context, ended.problems);
  const commit = ended.commit === undefined ? {} : { commit: ended.commit };
  const declaration = { ...ended.value, ...commit };
  context.out(reportText(declaration, options.output, declarationText));
  context.err(declarationNote(declaration, bot.branch.name));
  if (declaration.commit !== undefined) await notePull(context, bot, declaration.commit);
  return exit.fine;
}

function claimFor(
  { lease, service, port }: ClaimArguments & { readonly lease: LeaseWords | undefined },
  options: DeclareOptions,
) {
  if (!lease || service === undefined || !port) {
    throw new UsageError('declare needs a lease, a service and a port, or --promise');
  }
  if (options.until !== undefined) throw new UsageError('--until needs --promise');
  const claim = claimOf(service, port, options);
  assertClaim(lease, claim);
  return { kind: 'Lease' as const, lease: { ...lease, cluster: options.cluster }, claim };
}

function promiseFor(
  { lease }: { readonly lease: LeaseWords | undefined },
  options: DeclareOptions,
): WrittenPromise {
  const { promise: owner = '', endpoint, until, cluster, zone, pool, ipFamily } = options;
  const { externalPort, address, retentionDays, selector, overwrite } = options;
  const ofLease = [lease, externalPort, address, retentionDays, selector];
  if (overwrite || ofLease.some((value) => value !== undefined)) {
    throw new UsageError(
      '--promise takes no lease, service or port, only --endpoint, --until, --cluster, --zone, --pool and --ip-family',
    );
  }
  if (until === undefined) throw new UsageError('--promise needs --until');
  const family = ipFamily === 'ipv4' ? undefined : ipFamily;
  const promise = {
    kind: 'Promise' as const,
    owner,
    endpoint,
    until,
    cluster,
    zone,
    pool,
    ipFamily: family,
  };
  assertDeclaration(newSpecText(promise));
  return promise;
}

/** `leasehold purge`. */
export const purgeCommand = command(purgeOptions, (context, options, [lease, service, port]) =>
  runPurge(context, { lease, service, port }, options),
);

function purgeOptions(bare: NewCommand) {
  return bare
    .addOption(branchOption())
    .addOption(remoteOption())
    .argument('<lease>', leaseForm, leaseValue)
    .argument('[service]', 'only the claim of this service; the whole lease when left out')
    .argument('[port]', 'and of this port on the address: 80, 80/tcp or 53/udp', portValue)
    .option('--endpoint <name>', 'only the claims of this IP endpoint')
    .option(
      '--external-port <port>',
      "the port on the address; the port before it is then the container's, as in declare",
      portNumberValue,
    )
    .addOption(clusterOption('the declared cluster; the default one when left out'))
    .option('--message <text>', 'the subject of the commit', subjectValue)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(valuesOption('addresses'));
}

async function runPurge(
  context: CliContext,
  { lease, service, port }: ClaimArguments & { readonly lease: LeaseWords },
  options: OptionsOf<typeof purgeOptions>,
): Promise<number> {
  const bot = await branchContext(context, options, givenDay(context, options));
  const { externalPort } = options;
  const ended = await purge(bot, {
    lease: { ...lease, cluster: options.cluster },
    service,
    port: externalPort === undefined ? undefined : port?.port,
    externalPort: externalPort ?? port?.port,
    protocol: port?.protocol,
    endpoint: options.endpoint,
    subject: options.message,
  });
  if (ended.kind === 'problems') return reportProblems(context, ended.problems);
  const commit = ended.commit === undefined ? {} : { commit: ended.commit };
  const purged = { ...ended.value, ...commit };
  context.out(reportText(purged, options.output, purgeText));
  context.err(purgeNote(purged, bot.branch.name));
  if (purged.commit !== undefined) await notePull(context, bot, purged.commit);
  return exit.fine;
}

/** A line of a commit message. */
function subjectValue(text: string): string {
  if (/\p{Cc}/u.test(text) || text.trim() === '' || text.length > 500) {
    throw new InvalidArgumentError('It is not one line of text.');
  }
  return text.trim();
}
