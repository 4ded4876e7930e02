import { Option } from 'commander';
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
import { plainJson } from '../../text/print/plain.ts';
import type { LeaseName } from '../../workspace/lease-edits.ts';
import { type BranchOptions, branchCommand, openDesk, tellPull } from '../branch-options.ts';
import {
  leaseValue,
  type PortValue,
  portNumberValue,
  portValue,
  selectorValue,
  subjectValue,
} from '../claim-values.ts';
import type { CommandLine } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { countValue, dateAheadOption, timeValue, todayOption } from '../option-values.ts';
import { type DayOptions, saidDay } from '../recorded-day.ts';
import { exit, type World } from '../world.ts';
import { runReconcile } from './reconcile-command.ts';

/** The commands that lease without a person: each commits to a branch of a remote and pushes. */
export function addBotCommands({ world, command, take }: CommandLine): void {
  branchCommand(command('declare', 'declare a claim on a branch: allocate, commit, push'))
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
    .option('--address <address>', 'a pin: the very address to stand on')
    .option('--retention-period-days <days>', 'days it is kept after release, 0 to 30', countValue)
    .option('--selector <key=value>', 'a label of the pods; may be repeated', selectorValue)
    .option('--cluster <name>', 'the declared cluster; the default one when left out')
    .option(
      '--overwrite',
      'take an existing claim over from another lease of the same owner',
      false,
    )
    .option('--message <text>', 'the subject of the commit', subjectValue)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(outputOption())
    .action((...[lease, service, port, , self]) =>
      take(runDeclare(world, { lease, service, port }, self.optsWithGlobals())),
    );
  branchCommand(command('purge', 'remove a lease or a claim from a branch: release, commit, push'))
    .argument('<lease>', 'OWNER/DSEQ/GSEQ/OSEQ', leaseValue)
    .argument('[service]', 'only the claim of this service; the whole lease when left out')
    .argument('[port]', 'and of this port on the address: 80, 80/tcp or 53/udp', portValue)
    .option('--endpoint <name>', 'only the claims of this IP endpoint')
    .option('--cluster <name>', 'the declared cluster; the default one when left out')
    .option('--message <text>', 'the subject of the commit', subjectValue)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(outputOption())
    .action((...[lease, service, port, , self]) =>
      take(runPurge(world, { lease, service, port }, self.optsWithGlobals())),
    );
  branchCommand(command('reconcile', 'follow a branch: synthesize, commit and push what is stale'))
    .addOption(
      new Option('--interval <time>', 'between two looks, such as 30s or 5m')
        .default(30_000, '30s')
        .argParser(timeValue),
    )
    .option('--once', 'look once', false)
    .action((_, self) => take(runReconcile(world, self.optsWithGlobals())));
}

function outputOption(): Option {
  return new Option('-o, --output <format>').choices(['text', 'json']).default('text');
}

interface Output extends DayOptions {
  readonly output: 'text' | 'json';
  readonly message: string | undefined;
}

/** What `declare` and `purge` are told of a claim by place. */
interface ClaimArguments<Optional> {
  readonly lease: Omit<LeaseName, 'cluster'>;
  readonly service: string | Optional;
  readonly port: PortValue | Optional;
}

interface DeclareOptions extends BranchOptions, Output {
  readonly endpoint: string;
  readonly externalPort: number | undefined;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  readonly ipFamily: string | undefined;
  readonly address: string | undefined;
  readonly retentionPeriodDays: number | undefined;
  readonly selector: Readonly<Record<string, string>> | undefined;
  readonly cluster: string | undefined;
  readonly overwrite: boolean;
}

/** `leasehold declare`. */
async function runDeclare(
  world: World,
  { lease, service, port }: ClaimArguments<never>,
  options: DeclareOptions,
): Promise<number> {
  const claim = claimOf(service, port, options);
  assertSound(newLeaseText(lease, claim));
  const desk = await openDesk(world, options, saidDay(world, options));
  const { cluster, overwrite, message: subject } = options;
  const name = { ...lease, cluster };
  const ended = await declare(desk, { lease: name, claim, overwrite, subject });
  if (ended.kind === 'problems') return reportProblems(world, ended.problems);
  const commit = ended.commit === undefined ? {} : { commit: ended.commit };
  const declaration = { ...ended.value, ...commit };
  world.out(options.output === 'json' ? plainJson(declaration) : declarationText(declaration));
  world.err(declarationNote(declaration, desk.branch.name));
  if (declaration.commit !== undefined) await tellPull(world, desk, declaration.commit);
  return exit.fine;
}

/** Fields that have their default are left out of the declaration, as a person would. */
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

/** A UsageError with everything that is wrong with a claim whatever the branch says. */
function assertSound(text: string): void {
  const read = readLeaseFile('declare', new TextEncoder().encode(text), undefined);
  if (read.ok) return;
  throw new UsageError(read.problems.map(({ message }) => message).join('; '));
}

interface PurgeOptions extends BranchOptions, Output {
  readonly endpoint: string | undefined;
  readonly cluster: string | undefined;
}

/** `leasehold purge`. */
async function runPurge(
  world: World,
  { lease, service, port }: ClaimArguments<undefined>,
  options: PurgeOptions,
): Promise<number> {
  const desk = await openDesk(world, options, saidDay(world, options));
  const ended = await purge(desk, {
    lease: { ...lease, cluster: options.cluster },
    service,
    externalPort: port?.port,
    protocol: port?.protocol,
    endpoint: options.endpoint,
    subject: options.message,
  });
  if (ended.kind === 'problems') return reportProblems(world, ended.problems);
  const commit = ended.commit === undefined ? {} : { commit: ended.commit };
  const purged = { ...ended.value, ...commit };
  world.out(options.output === 'json' ? plainJson(purged) : purgeText(purged));
  world.err(purgeNote(purged, desk.branch.name));
  if (purged.commit !== undefined) await tellPull(world, desk, purged.commit);
  return exit.fine;
}
