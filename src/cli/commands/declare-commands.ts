import { InvalidArgumentError } from '@commander-js/extra-typings';
import {
  declarationNote,
  declarationText,
  purgeNote,
  purgeText,
} from '../../features/bots/bot-text.ts';
import { declare } from '../../features/bots/declare.ts';
import { purge } from '../../features/bots/purge.ts';
import type { LeaseName } from '../../workspace/lease-edits.ts';
import { reportText, valuesOption } from '../answer.ts';
import { branchContext, branchOption, notePull, remoteOption } from '../branch-options.ts';
import {
  assertClaim,
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
} from '../claim-options.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { reportProblems } from '../failure.ts';
import { clusterOption, todayOption } from '../option-values.ts';
import { dateAheadOption, givenDay } from '../recording.ts';

/** `leasehold declare`. */
export function addDeclareCommand(line: CommandLine): void {
  declareCommand(line).action((...[lease, service, port, , self]) =>
    line.exitWith(runDeclare(line.context, { lease, service, port }, self.optsWithGlobals())),
  );
}

function declareCommand({ command }: CommandLine) {
  return command
    .addOption(branchOption())
    .addOption(remoteOption())
    .argument('<lease>', leaseForm, leaseValue)
    .argument('<service>', "the lease's service")
    .argument('<port>', "the container's port: 80, 80/tcp or 53/udp", portValue)
    .requiredOption(
      '--endpoint <name>',
      "the tenant's IP endpoint; those of one name share an address",
    )
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

type DeclareOptions = OptionsOf<typeof declareCommand>;

/** The arguments of `declare` and `purge` that name a claim. */
interface ClaimArguments<Optional> {
  readonly lease: Omit<LeaseName, 'cluster'>;
  readonly service: string | Optional;
  readonly port: PortValue | Optional;
}

async function runDeclare(
  context: CliContext,
  { lease, service, port }: ClaimArguments<never>,
  options: DeclareOptions,
): Promise<number> {
  const claim = claimOf(service, port, options);
  assertClaim(lease, claim);
  const bot = await branchContext(context, options, givenDay(context, options));
  const { cluster, overwrite, message: subject } = options;
  const name = { ...lease, cluster };
  const ended = await declare(bot, { lease: name, claim, overwrite, subject });
  if (ended.kind === 'problems') return reportProblems(context, ended.problems);
  const commit = ended.commit === undefined ? {} : { commit: ended.commit };
  const declaration = { ...ended.value, ...commit };
  context.out(reportText(declaration, options.output, declarationText));
  context.err(declarationNote(declaration, bot.branch.name));
  if (declaration.commit !== undefined) await notePull(context, bot, declaration.commit);
  return exit.fine;
}

/** `leasehold purge`. */
export function addPurgeCommand(line: CommandLine): void {
  purgeCommand(line).action((...[lease, service, port, , self]) =>
    line.exitWith(runPurge(line.context, { lease, service, port }, self.optsWithGlobals())),
  );
}

function purgeCommand({ command }: CommandLine) {
  return command
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
  { lease, service, port }: ClaimArguments<undefined>,
  options: OptionsOf<typeof purgeCommand>,
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
