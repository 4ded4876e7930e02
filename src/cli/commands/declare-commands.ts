import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { newLeaseText, type WrittenClaim } from '../../declarations/declaration-edits.ts';
import { readLeaseFile } from '../../declarations/lease/lease-file.ts';
import {
  declarationNote,
  declarationText,
  purgeNote,
  purgeText,
} from '../../features/bots/bot-text.ts';
import { declare } from '../../features/bots/declare.ts';
import { purge } from '../../features/bots/purge.ts';
import type { LeaseName } from '../../workspace/lease-edits.ts';
import { reportOption, reportText } from '../answer.ts';
import { branchContext, branchOption, notePull, remoteOption } from '../branch-options.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { clusterOption, countValue, todayOption } from '../option-values.ts';
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
    .argument('<lease>', 'OWNER/DSEQ/GSEQ/OSEQ', leaseValue)
    .argument('<service>', "the lease's service")
    .argument('<port>', "the container's port: 80, 80/tcp or 53/udp", portValue)
    .requiredOption(
      '--endpoint <name>',
      "the tenant's IP endpoint; those of one name share an address",
    )
    .option(
      '--external-port <port>',
      'the port on the leased address; default: port',
      portNumberValue,
    )
    .option('--zone <name>', 'the zone of the address; the default one when left out')
    .option('--pool <name>', 'the pool of the address; any of the zone when left out')
    .addOption(new Option('--ip-family <family>').choices(['ipv4', 'ipv6', 'dual']))
    .option('--address <address>', 'a pin: the exact address')
    .option(
      '--retention-period-days <days>',
      'days that the address is kept after its release, 0 to 30',
      countValue,
    )
    .option('--selector <key=value>', 'a label of the pods; may be repeated', selectorValue)
    .addOption(clusterOption('the declared cluster; the default one when left out'))
    .option(
      '--overwrite',
      'take an existing claim over from another lease of the same owner',
      false,
    )
    .option('--message <text>', 'the subject of the commit', subjectValue)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
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
  assertValid(newLeaseText(lease, claim));
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

/** The claim of a new declaration, without fields that have their default. */
function claimOf(
  service: string,
  { port, protocol }: PortValue,
  options: DeclareOptions,
): WrittenClaim {
  const { endpoint, externalPort, zone, pool, ipFamily } = options;
  const { address, retentionPeriodDays, selector } = options;
  const claim = {
    name: endpoint,
    service,
    port,
    externalPort: externalPort === port ? undefined : externalPort,
    protocol: protocol === 'TCP' ? undefined : protocol,
    zone,
    pool,
    ipFamily: ipFamily === 'ipv4' ? undefined : ipFamily,
    address,
    retentionPeriodDays: retentionPeriodDays === 0 ? undefined : retentionPeriodDays,
    selector,
  };
  const given = Object.entries(claim).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as WrittenClaim;
}

/** Throws a UsageError with all problems of a claim that do not depend on the branch. */
function assertValid(text: string): void {
  const read = readLeaseFile('declare', new TextEncoder().encode(text), undefined);
  if (read.ok) return;
  throw new UsageError(read.problems.map(({ message }) => message).join('; '));
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
    .argument('<lease>', 'OWNER/DSEQ/GSEQ/OSEQ', leaseValue)
    .argument('[service]', 'only the claim of this service; the whole lease when left out')
    .argument('[port]', 'and of this port on the address: 80, 80/tcp or 53/udp', portValue)
    .option('--endpoint <name>', 'only the claims of this IP endpoint')
    .addOption(clusterOption('the declared cluster; the default one when left out'))
    .option('--message <text>', 'the subject of the commit', subjectValue)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

async function runPurge(
  context: CliContext,
  { lease, service, port }: ClaimArguments<undefined>,
  options: OptionsOf<typeof purgeCommand>,
): Promise<number> {
  const bot = await branchContext(context, options, givenDay(context, options));
  const ended = await purge(bot, {
    lease: { ...lease, cluster: options.cluster },
    service,
    externalPort: port?.port,
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

/** A port with its protocol. */
interface PortValue {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** `OWNER/DSEQ/GSEQ/OSEQ`. The schema of the declaration checks owner and dseq. */
function leaseValue(text: string): Omit<LeaseName, 'cluster'> {
  const [, owner, dseq, gseq, oseq] =
    /^(akash1[0-9a-z]{1,90})\/(\d{1,20})\/(\d{1,10})\/(\d{1,10})$/.exec(text) ?? [];
  if (owner === undefined || dseq === undefined) {
    throw new InvalidArgumentError('Expected a lease as OWNER/DSEQ/GSEQ/OSEQ.');
  }
  return { owner, dseq, gseq: Number(gseq), oseq: Number(oseq) };
}

/** `80`, `80/tcp`, `53/udp`. */
function portValue(text: string): PortValue {
  const [, digits, protocol = 'tcp'] = /^([1-9]\d{0,4})(?:\/(tcp|udp))?$/i.exec(text) ?? [];
  const port = Number(digits);
  if (!(port <= 65_535))
    throw new InvalidArgumentError('Expected a port such as 80, 80/tcp or 53/udp.');
  return { port, protocol: /^udp$/i.test(protocol) ? 'UDP' : 'TCP' };
}

/** `80`. */
function portNumberValue(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a port such as 80.');
  return portValue(text).port;
}

/** `key=value`, once for each label. */
function selectorValue(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const cut = text.indexOf('=');
  if (cut < 1) throw new InvalidArgumentError('Expected a label as key=value.');
  return { ...before, [text.slice(0, cut)]: text.slice(cut + 1) };
}

/** A line of a commit message. */
function subjectValue(text: string): string {
  if (/\p{Cc}/u.test(text) || text.trim() === '' || text.length > 500) {
    throw new InvalidArgumentError('It is not one line of text.');
  }
  return text.trim();
}
