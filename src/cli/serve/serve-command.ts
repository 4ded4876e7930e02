import { isIP } from 'node:net';
import { InvalidArgumentError, Option } from 'commander';
import { isAkashAddress } from '../../declarations/akash-fields.ts';
import { isHostName } from '../../world/http/request-checks.ts';
import { branchValue } from '../branch-options.ts';
import type { CommandLine } from '../command-line.ts';
import { countValue, labelValue, patternsValue, timeValue } from '../option-values.ts';
import type { Listen } from './serve-options.ts';

/** `leasehold serve`. */
export function addServeCommand({ world, command, take }: CommandLine): void {
  command('serve', 'answer over HTTP who has what: for an Akash provider, for scripts, for people')
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
    .option(
      '--pending-refs <pattern>',
      "count what open branches of the remote hold as in use, such as 'refs/pull/*/head'; may be repeated",
      patternsValue,
      [],
    )
    .option('--pending-days <days>', 'leave out branches older than this', countValue, 30)
    .addOption(
      new Option('--interval <time>', 'between two looks, such as 5s or 1m')
        .default(5_000, '5s')
        .argParser(timeValue),
    )
    .option('--token-file <file>', 'ask for the bearer token in this file; - is standard input')
    .option(
      '--open-operator-endpoints',
      "with a token: answer without it on the paths of Akash's operator, whose client sends none",
      false,
    )
    .option(
      '--allowed-host <name>',
      'answer without a token under this name too, a leading dot for all below it; may be repeated',
      hostsValue,
      [],
    )
    .option(
      '--cluster <name>',
      'for Akash: the cluster whose leases are meant; else the default one',
      labelValue,
    )
    .option(
      '--zone <name>',
      "for Akash: where leases get addresses; else the cluster's default zone",
      labelValue,
    )
    .option('--provider <address>', 'for Akash: only leases of this provider', providerValue)
    .option(
      '--max-connections <count>',
      'hold no more connections than this; the oldest idle ones make room',
      countValue,
      512,
    )
    .addOption(
      new Option('--drain <time>', 'wait so long at the end for answers under way')
        .default(10_000, '10s')
        .argParser(timeValue),
    )
    .action((_, self) => {
      const serve = async () => {
        const { runServe } = await import('./serve-run.ts');
        return runServe(world, self.optsWithGlobals());
      };
      return take(serve());
    });
}

/** An account of Akash. */
function providerValue(text: string): string {
  if (isAkashAddress(text)) return text;
  throw new InvalidArgumentError('It is not a bech32 address akash1….');
}

function hostsValue(text: string, before: readonly string[]): readonly string[] {
  const name = text.toLowerCase();
  if (isHostName(name)) return [...before, name];
  throw new InvalidArgumentError(
    'It is not a name of a host, such as leases.example.net or .example.net.',
  );
}

/** `127.0.0.1:8080`, `localhost:0` or `[::1]:8080`. */
function listenValue(text: string): Listen {
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
