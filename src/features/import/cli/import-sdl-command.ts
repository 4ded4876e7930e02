import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { commitFields, reportText, tableStyle } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportProblems, UsageError } from '../../../core/cli/failure.ts';
import { subcommand } from '../../../core/cli/feature.ts';
import { readSourceFile } from '../../../core/cli/input-files.ts';
import { clusterOption, labelOption } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { tell } from '../../../core/cli/tell.ts';
import { type LockedTree, runText, withTree } from '../../../core/cli/with-tree.ts';
import { openSdl, type Sdl } from '../../../core/declarations/lease/sdl.ts';
import { type Address, isAddress, parseAddress } from '../../../core/net/address.ts';
import { explainTemplates } from '../../../core/text/yaml/template-hints.ts';
import { inputLines } from '../../../core/tree/source-line.ts';
import { assertClaim, leaseForm, leaseValue } from '../../../lib/edit/cli/claim-options.ts';
import type { ImportedRun } from '../import-pools.ts';
import { importSdl } from '../import-sdl.ts';
import { importText } from '../import-text.ts';

/** `leasehold import sdl`: a lease with the endpoints and hostnames of its SDL. */
export const importSdlCommand = subcommand(
  'sdl',
  "a tenant's SDL and the id of its lease: its endpoints and hostnames",
  sdlOptions,
  (context, options, [name, lease]) => runImportSdl(context, { name, lease }, options),
);

function sdlOptions(bare: NewCommand) {
  return recordingOptions(
    bare
      .argument('<file>', 'the SDL, - for standard input')
      .argument(
        '[lease]',
        `${leaseForm}; placements count from 1 by name, and GSEQ is theirs`,
        leaseValue,
      )
      // The spelling before LEASE.
      .addOption(new Option('--owner <account>').hideHelp())
      .addOption(new Option('--dseq <number>').hideHelp())
      .addOption(new Option('--gseq <number>').argParser(sequenceValue).hideHelp())
      .addOption(new Option('--oseq <number>').argParser(sequenceValue).hideHelp())
      .option('--provider <account>', "the provider; the cluster's when left out")
      .addOption(clusterOption('the declared cluster; the default one when left out'))
      .option(
        '--zone <name>',
        'the zone of the addresses; the default one when left out',
        labelOption,
      )
      .option(
        '--address <endpoint=address>',
        'a pin: the exact address of an endpoint; may be repeated',
        pinValue,
      ),
  );
}

/** Declares the lease and synthesizes. */
async function runImportSdl(
  context: CliContext,
  { name, lease: id }: { readonly name: string; readonly lease: LeaseId | undefined },
  options: OptionsOf<typeof sdlOptions>,
): Promise<number> {
  const { provider, cluster, zone } = options;
  const { address: addresses = new Map<string, Address>() } = options;
  const lease = { ...leaseOf(id, options), ...(provider === undefined ? {} : { provider }) };
  assertClaim(lease);
  const file = await readSourceFile(context, name);
  const sdl = explainTemplates(openSdl(name, file.bytes), [file]);
  if (!sdl.ok) return reportProblems(context, sdl.problems, inputLines([file]));
  assertNamed(addresses, sdl.value, lease.gseq);
  const asked = { name, sdl: sdl.value, lease: { ...lease, cluster }, zone, addresses };
  return withTree(context, options, async (locked) => {
    const outcome = await importSdl(locked.tree, locked.repository.history, asked, {
      ...(await recordingOf(context, locked, options)),
      progress: context.progress,
    });
    return outcome.ok ? reportImport(context, locked, outcome.value, options.output) : outcome;
  });
}

type LeaseId = ReturnType<typeof leaseValue>;

/** The lease that the command line names, by its id or by the options before it. */
function leaseOf(
  id: LeaseId | undefined,
  { owner, dseq, gseq, oseq }: OptionsOf<typeof sdlOptions>,
): LeaseId {
  const parts = [owner, dseq, gseq, oseq].filter((part) => part !== undefined);
  if (id !== undefined) {
    if (parts.length === 0) return id;
    throw new UsageError(
      `name the lease once: ${leaseForm}, without --owner, --dseq, --gseq or --oseq`,
    );
  }
  if (owner === undefined || dseq === undefined) {
    throw new UsageError(`import sdl needs the lease of the SDL: ${leaseForm}`);
  }
  return { owner, dseq, gseq: gseq ?? 1, oseq: oseq ?? 1 };
}

/** Throws a UsageError for a pin of an endpoint that the placement does not have. */
function assertNamed(
  addresses: ReadonlyMap<string, Address>,
  { placements }: Sdl,
  gseq: number,
): void {
  const placement = placements[gseq - 1];
  if (!placement) return;
  const names = [...new Set(placement.endpoints.map(({ name }) => name))];
  const other = [...addresses.keys()].find((name) => !names.includes(name));
  if (other === undefined) return;
  throw new UsageError(
    `--address names the endpoint '${other}', and the placement has ${names.join(', ') || 'none'}`,
  );
}

/** `NAME=ADDRESS`, once for each endpoint. */
function pinValue(
  text: string,
  before: ReadonlyMap<string, Address> = new Map(),
): ReadonlyMap<string, Address> {
  const cut = text.indexOf('=');
  const name = text.slice(0, cut);
  const address = parseAddress(text.slice(cut + 1));
  if (cut < 1)
    throw new InvalidArgumentError('Expected an endpoint and its address, such as web=192.0.2.7.');
  if (!isAddress(address)) throw new InvalidArgumentError(`${address.reason}.`);
  if (before.has(name)) {
    throw new InvalidArgumentError(`The endpoint '${name}' has an address already.`);
  }
  return new Map([...before, [name, address]]);
}

/** Prints what an import took over and the summary of its run, and returns the exit status. */
export async function reportImport(
  context: CliContext,
  { repository }: LockedTree,
  { answer, run, files }: ImportedRun,
  output: string,
): Promise<number> {
  const style = tableStyle(context, output);
  const stated = { ...answer, ...(await commitFields(repository, output)) };
  context.out(reportText(stated, output, (shown) => importText(shown, style)));
  tell(context, runText(context, { ...run, files }));
  return exit.fine;
}

/** A sequence number of Akash, from 1. */
function sequenceValue(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It is not a number from 1.');
  return Number(text);
}
