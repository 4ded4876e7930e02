import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { newLeaseText } from '../../declarations/declaration-edits.ts';
import { readLeaseFile } from '../../declarations/lease/lease-file.ts';
import { readSdl, type SdlEndpoint } from '../../declarations/lease/sdl.ts';
import { importSdl } from '../../features/import/import-sdl.ts';
import type { Problem } from '../../model/problem.ts';
import { type Address, isAddress, parseAddress } from '../../net/address.ts';
import { explainTemplates } from '../../text/template-hints.ts';
import { largestForeignFile } from '../../text/yaml/yaml-document.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { readInput } from '../../world/disk/named-file.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { dateAheadOption, labelValue, sequenceValue, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import type { World } from '../world.ts';
import { tellImport } from './import-answer.ts';

interface ImportSdlOptions extends CommonOptions, BaseOptions, DayOptions {
  readonly owner: string;
  readonly dseq: string;
  readonly gseq: number;
  readonly oseq: number;
  readonly provider: string | undefined;
  readonly cluster: string | undefined;
  readonly zone: string | undefined;
  readonly address: ReadonlyMap<string, Address> | undefined;
  readonly output: 'text' | 'json';
}

/** `leasehold import sdl`: a lease with what its SDL asks for. */
export function addImportSdlCommand(group: Command, { world, take }: CommandLine): void {
  addBaseOptions(group.command('sdl'))
    .description("a tenant's SDL and the id of its lease: the endpoints that want an address")
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
    .option('--cluster <name>', 'the declared cluster; the default one when left out')
    .option('--zone <name>', 'the zone of the addresses; the default one when left out', labelValue)
    .option(
      '--address <endpoint=address>',
      'a pin: the very address that an endpoint has; again for more',
      addressValue,
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(new Option('-o, --output <format>').choices(['text', 'json']).default('text'))
    .allowExcessArguments(false)
    .action((name: string, _, self: Command) =>
      take(runImportSdl(world, name, self.optsWithGlobals())),
    );
}

async function runImportSdl(
  world: World,
  name: string,
  options: ImportSdlOptions,
): Promise<number> {
  const {
    owner,
    dseq,
    gseq,
    oseq,
    provider,
    cluster,
    zone,
    address: addresses = new Map(),
  } = options;
  const lease = { owner, dseq, gseq, oseq, ...(provider === undefined ? {} : { provider }) };
  assertLease(lease);
  const bytes = await readInput(world.cwd, { name, mostBytes: largestForeignFile });
  const endpoints = explainTemplates(readSdl(name, bytes, gseq), [{ name, bytes }]);
  if (!endpoints.ok) return reportProblems(world, endpoints.problems.map(withoutDeclaration));
  assertNamed(addresses, endpoints.value);
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const today = recordedDay(world, options);
    const outcome = await importSdl(
      tree,
      openRepository(root).history,
      {
        file: { name, bytes },
        endpoints: endpoints.value,
        lease: { ...lease, cluster },
        zone,
        addresses,
      },
      { today, allowRelease: undefined, base: await baseOf({ world, root, tree, today }, options) },
    );
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    return tellImport(world, outcome.value, options.output);
  } finally {
    tree.close();
  }
}

/** A UsageError with everything that is wrong with the id of a lease, whatever the SDL says. */
function assertLease(lease: Parameters<typeof newLeaseText>[0]): void {
  const text = newLeaseText(lease, { name: 'endpoint', service: 'service', port: 80 });
  const read = readLeaseFile('import', new TextEncoder().encode(text), undefined);
  if (read.ok) return;
  throw new UsageError(read.problems.map(({ message }) => message).join('; '));
}

/** A UsageError for a pin of an endpoint that the lease does not have. */
function assertNamed(
  addresses: ReadonlyMap<string, Address>,
  endpoints: readonly SdlEndpoint[],
): void {
  const names = [...new Set(endpoints.map(({ name }) => name))];
  const other = [...addresses.keys()].find((name) => !names.includes(name));
  if (other === undefined) return;
  throw new UsageError(
    `--address names the endpoint '${other}', and the placement asks for ${names.join(', ')}`,
  );
}

/** There is no declaration yet that could be removed. */
function withoutDeclaration(problem: Problem): Problem {
  if (problem.code !== 'SDL_NO_ENDPOINT') return problem;
  return { ...problem, hint: 'declare nothing: such a lease needs no address' };
}

/** `NAME=ADDRESS`, once for each endpoint. */
function addressValue(
  text: string,
  before: ReadonlyMap<string, Address> = new Map(),
): ReadonlyMap<string, Address> {
  const cut = text.indexOf('=');
  const name = text.slice(0, cut);
  const address = parseAddress(text.slice(cut + 1));
  if (cut < 1)
    throw new InvalidArgumentError('It is not an endpoint and an address as web=192.0.2.7.');
  if (!isAddress(address)) throw new InvalidArgumentError(`${address.reason}.`);
  if (before.has(name)) {
    throw new InvalidArgumentError(`The endpoint '${name}' has an address already.`);
  }
  return new Map([...before, [name, address]]);
}
