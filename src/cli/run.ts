import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Day, parseDay } from '../model/day.ts';
import { listFormats, runCheck, runExplain, runList, runPrune, runSynth } from './commands.ts';
import { runDoctor } from './doctor-command.ts';
import { reportFailure } from './failure.ts';
import { liveFormats, runVerify } from './live-commands.ts';
import { version } from './version.ts';
import { exit, type World } from './world.ts';

/** Runs one command line (without program names) and gives its exit status. Never throws. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let status: number = exit.fine;
  const program = programOf(world, async (done) => {
    status = await done;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exit.fine : exit.usage;
    return reportFailure(world, failure);
  }
}

function programOf(
  world: World,
  take: (status: Promise<number> | number) => Promise<void>,
): Command {
  const program = new Command('leasehold')
    .description('Static IP addresses handed out through git.')
    .version(version)
    .option('-C, --directory <dir>', "the repository's folder", '.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .exitOverride()
    .showHelpAfterError('(leasehold --help lists the commands)');
  const command = (name: string, description: string) =>
    program.command(name).description(description).allowExcessArguments(false);
  const today = new Option(
    '--today <day>',
    'the day to record, YYYY-MM-DD, instead of the current UTC day',
  )
    .env('LEASEHOLD_TODAY')
    .argParser(dayOption);

  command('synth', 'allocate addresses and write leases/allocations/ and dist/')
    .addOption(today)
    .addOption(
      new Option('--frozen', 'write nothing and fail if something would change (the same as check)')
        .default(false)
        .conflicts('allowRelease'),
    )
    .option(
      '--allow-release <count>',
      'let the run release exactly this many addresses',
      countOption,
    )
    .action((_, self) => take(runSynth(world, self.optsWithGlobals())));
  command('check', 'prove that what is committed is what synth gives; write nothing').action(
    (_, self) => take(runCheck(world, self.optsWithGlobals())),
  );
  command('list', 'show who has which address')
    .addOption(new Option('-o, --output <format>').choices(listFormats).default('table'))
    .action((_, self) => take(runList(world, self.optsWithGlobals())));
  command('prune', 'remove the records of released addresses that are free for anyone')
    .addOption(today)
    .action((_, self) => take(runPrune(world, self.optsWithGlobals())));
  command('explain', 'say what a problem code means and what to do')
    .argument('[code]', 'such as POOL_EXHAUSTED; all codes when left out')
    .action((code: string | undefined) => take(runExplain(world, code)));
  liveCommand(
    command('doctor', 'say whether a live cluster can do the job; change nothing'),
  ).action((_, self) => take(runDoctor(world, self.optsWithGlobals())));
  liveCommand(command('verify', 'compare a live cluster with what is committed; change nothing'))
    .option('--timeout <time>', 'wait so long until all is well, such as 90s or 5m', timeOption, 0)
    .action((_, self) => take(runVerify(world, self.optsWithGlobals())));
  return program;
}

/** The options of every command that asks a live cluster. */
function liveCommand(command: Command): Command {
  return command
    .option('--cluster <name>', 'the cluster of leases/pools.yaml; the default one when left out')
    .option('--context <name>', 'the context of the kubeconfig; the current one when left out')
    .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config when left out')
    .addOption(new Option('-o, --output <format>').choices(liveFormats).default('table'));
}

/** A promise of 365 days from here still ends on a day of four year digits. */
const lastToday = '9998-12-31';

function dayOption(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('It is not a day as YYYY-MM-DD.');
  if (day > lastToday) throw new InvalidArgumentError(`It is later than ${lastToday}.`);
  return day;
}

function countOption(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds. */
function timeOption(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const factor = milliseconds[unit];
  if (number === undefined || factor === undefined) {
    throw new InvalidArgumentError('It is not a time such as 90s, 5m or 1h.');
  }
  return Number(number) * factor;
}
