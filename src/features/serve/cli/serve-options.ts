import { isIP } from 'node:net';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import {
  branchValue,
  countValue,
  labelOption,
  timeValue,
} from '../../../core/cli/option-values.ts';
import { isAkashAddress } from '../../../core/declarations/akash-fields.ts';
import { pendingRefsOption } from '../../../lib/forecast/cli/pending-option.ts';
import { isHostName } from '../../../lib/http/world/request-checks.ts';

/** Declares `leasehold serve`. */
export function serveOptions(command: NewCommand) {
  return limitOptions(ipamOptions(akashOptions(accessOptions(sourceOptions(command)))));
}

const noNames: readonly string[] = [];

/** Where it listens, and what it serves. */
function sourceOptions(command: NewCommand) {
  return command
    .addOption(
      new Option(
        '--listen <host:port>',
        'the address and port to listen on; port 0 takes a free one',
      )
        .default({ host: '127.0.0.1', port: 8080 }, '127.0.0.1:8080')
        .argParser(listenValue),
    )
    .option('--branch <name>', 'serve this branch of the remote, not the files here', branchValue)
    .option('--remote <name>', 'the remote that has the branch', 'origin')
    .addOption(pendingRefsOption('count what open branches of the remote hold as in use'))
    .option('--pending-days <days>', 'leave out branches older than this', countValue, 30)
    .addOption(
      new Option('--interval <time>', 'the time between two polls, such as 5s or 1m')
        .default(5_000, '5s')
        .argParser(timeValue),
    );
}

/** Who may ask. */
function accessOptions(command: ReturnType<typeof sourceOptions>) {
  return command
    .option('--token-file <file>', 'require the bearer token in this file; - is standard input')
    .option(
      '--open-operator-endpoints',
      "with --token-file: require no token on the paths of Akash's operator, whose client sends none",
      false,
    )
    .option(
      '--allowed-host <name>',
      'without a token: accept this host name too; a leading dot stands for all names below it; may be repeated',
      hostsValue,
      noNames,
    );
}

/** The part that an Akash provider asks for. */
function akashOptions(command: ReturnType<typeof accessOptions>) {
  return command
    .option(
      '--cluster <name>',
      'for Akash: the cluster of the leases; the default one when left out',
      labelOption,
    )
    .option(
      '--zone <name>',
      "for Akash: the zone of the addresses; the cluster's default zone when left out",
      labelOption,
    )
    .option('--provider <address>', 'for Akash: only leases of this provider', providerValue);
}

/** The requests of vitistack's ipam-operator. */
function ipamOptions(command: ReturnType<typeof akashOptions>) {
  return command
    .option(
      '--ipam-branch <name>',
      "answer the requests of vitistack's ipam-operator with commits to this branch of the remote; needs --token-file and --ipam-namespaces",
      branchValue,
    )
    .option(
      '--ipam-namespaces <file>',
      'the namespaces of a cluster of the operator, as kubectl get namespaces -o json prints them; read for each request; may be repeated',
      filesValue,
      noNames,
    );
}

/** The connections, and the shutdown. */
function limitOptions(command: ReturnType<typeof ipamOptions>) {
  return command
    .option(
      '--max-connections <count>',
      'the most open connections; the oldest idle ones are closed for new ones',
      countValue,
      512,
    )
    .addOption(
      new Option('--drain <time>', 'how long a shutdown waits for open requests')
        .default(10_000, '10s')
        .argParser(timeValue),
    );
}

/** Times are in milliseconds. */
export type ServeOptions = OptionsOf<typeof serveOptions>;

/** An Akash account. */
function providerValue(text: string): string {
  if (isAkashAddress(text)) return text;
  throw new InvalidArgumentError('It is not a bech32 address akash1….');
}

function hostsValue(text: string, before: readonly string[]): readonly string[] {
  const name = text.toLowerCase();
  if (isHostName(name)) return [...before, name];
  throw new InvalidArgumentError(
    'It is not a host name, such as leases.example.net or .example.net.',
  );
}

function filesValue(name: string, before: readonly string[]): readonly string[] {
  return [...before, name];
}

/** `127.0.0.1:8080`, `localhost:0` or `[::1]:8080`. */
function listenValue(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? bare ?? '';
  const isHost =
    bracketed === undefined ? host === 'localhost' || isIP(host) === 4 : isIP(host) === 6;
  const port = Number(digits);
  if (isHost && port <= 65_535) return { host, port };
  throw new InvalidArgumentError(
    'It is not an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080.',
  );
}
