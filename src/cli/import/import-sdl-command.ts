import { InvalidArgumentError } from '@commander-js/extra-typings';
import { newLeaseText } from '../../declarations/declaration-edits.ts';
import { readLeaseFile } from '../../declarations/lease/lease-file.ts';
import { readSdl, type SdlEndpoint } from '../../declarations/lease/sdl.ts';
import type { ImportedRun } from '../../features/import/import-pools.ts';
import { importSdl } from '../../features/import/import-sdl.ts';
import { importText } from '../../features/import/import-text.ts';
import type { Problem } from '../../model/problem.ts';
import { type Address, isAddress, parseAddress } from '../../net/address.ts';
import { explainTemplates } from '../../text/source-reader.ts';
import { reportOption, reportText } from '../answer.ts';
import { type CliContext, exit } from '../cli-context.ts';
import { type NewCommand, type OptionsOf, subcommand } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { readSourceFile } from '../input-files.ts';
import { clusterOption, labelOption, sequenceValue, todayOption } from '../option-values.ts';
import { baseOption, dateAheadOption, noBaseOption, recordingOf } from '../recording.ts';
import { runText, withTree } from '../with-tree.ts';

/** `leasehold import sdl`: a lease with the endpoints of its SDL. */
export function importSdlCommand(group: NewCommand) {
  return subcommand(
    group,
    'sdl',
    "a tenant's SDL and the id of its lease: the endpoints that need an address",
  )
    .addOption(baseOption())
    .addOption(noBaseOption())
    .argument('<file>', 'the SDL, - for standard input')
    .requiredOption('--owner <account>', "the tenant's account, akash1…")
    .requiredOption('--dseq <number>', 'the deployment sequence')
    .option(
      '--gseq <number>',
      'the group sequence: placements count from 1 by name',
      sequenceValue,
      1,
    )
    .option('--oseq <number>', 'the order sequence', sequenceValue, 1)
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
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

/** Declares the lease and synthesizes. */
export async function runImportSdl(
  context: CliContext,
  name: string,
  options: OptionsOf<typeof importSdlCommand>,
): Promise<number> {
  const { owner, dseq, gseq, oseq, provider, cluster, zone } = options;
  const { address: addresses = new Map<string, Address>() } = options;
  const lease = { owner, dseq, gseq, oseq, ...(provider === undefined ? {} : { provider }) };
  assertLease(lease);
  const file = await readSourceFile(context, name);
  const endpoints = explainTemplates(readSdl(name, file.bytes, gseq), [file]);
  if (!endpoints.ok) return reportProblems(context, endpoints.problems.map(withoutDeclaration));
  assertNamed(addresses, endpoints.value);
  const asked = { file, endpoints: endpoints.value, lease: { ...lease, cluster }, zone, addresses };
  return withTree(context, options, async (locked) => {
    const outcome = await importSdl(locked.tree, locked.repository.history, asked, {
      ...(await recordingOf(context, locked, options)),
      allowRelease: undefined,
    });
    return outcome.ok ? reportImport(context, outcome.value, options.output) : outcome;
  });
}

/** Throws a UsageError with all problems of the id of a lease, before the SDL is read. */
function assertLease(lease: Parameters<typeof newLeaseText>[0]): void {
  const text = newLeaseText(lease, { name: 'endpoint', service: 'service', port: 80 });
  const read = readLeaseFile('import', new TextEncoder().encode(text), undefined);
  if (read.ok) return;
  throw new UsageError(read.problems.map(({ message }) => message).join('; '));
}

/** Throws a UsageError for a pin of an endpoint that the SDL does not have. */
function assertNamed(
  addresses: ReadonlyMap<string, Address>,
  endpoints: readonly SdlEndpoint[],
): void {
  const names = [...new Set(endpoints.map(({ name }) => name))];
  const other = [...addresses.keys()].find((name) => !names.includes(name));
  if (other === undefined) return;
  throw new UsageError(
    `--address names the endpoint '${other}', and the placement has ${names.join(', ')}`,
  );
}

/** Replaces a hint to remove the declaration: an import has none yet. */
function withoutDeclaration(problem: Problem): Problem {
  if (problem.code !== 'SDL_NO_ENDPOINT') return problem;
  return { ...problem, hint: 'declare nothing: such a lease needs no address' };
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
export function reportImport(
  context: CliContext,
  { answer, run, files }: ImportedRun,
  output: string,
): number {
  context.out(reportText(answer, output, importText));
  context.err(runText(context, { ...run, files }));
  return exit.fine;
}
