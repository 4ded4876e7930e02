import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { reportText, stateFields, valuesOption } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData } from '../../../core/cli/cli-context.ts';
import type { GlobalOptions, NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { assertRepository, declaredCluster } from '../../../core/cli/declared-names.ts';
import { reportProblems, UsageError } from '../../../core/cli/failure.ts';
import { command, group, subcommand } from '../../../core/cli/feature.ts';
import { clusterOption, labelOption, textsValue } from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { type Forge, forgeNames, forgeOf } from '../../../core/model/forges/forges.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { type Outcome, ok } from '../../../core/model/problem.ts';
import { artifactFault, isBranchName } from '../../../core/model/repository-address.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { readPoolFile } from '../../../core/tree/declared.ts';
import { readNamedFile, replaceFile } from '../../../core/world/disk/named-file.ts';
import { argocdHealthText, argocdText } from '../argocd.ts';
import { type Codeowners, codeownersOf, codeownersText, withCodeowners } from '../codeowners.ts';
import { type ArtifactSource, fluxText, type GitSource } from '../flux.ts';
import { clusterServers } from './cluster-servers.ts';
import { engineBranchValue, projectValue } from './engine-values.ts';

/** `leasehold codeowners`. */
export const codeownersCommand = command(
  (bare) =>
    bare
      .addOption(
        new Option('--write <file>', 'write them into this file instead, and keep its other lines'),
      )
      .addOption(
        new Option(
          '--forge <name>',
          'whose file; that of its folder, or github, when left out',
        ).choices(forgeNames),
      )
      .addOption(valuesOption('lines')),
  async (context, options) => {
    const { tree, repository } = openTree(context, options);
    const { output, write, forge = forgeOfOwners(write) } = options;
    const rules = codeownersOf(tree, { forge, folder: await repository.folder() });
    if (!rules.ok) return reportTreeProblems(context, repository, rules.problems);
    const lines = codeownersText(rules.value);
    const written = write === undefined ? ok({}) : writeLines(context, write, lines);
    if (!written.ok) return reportProblems(context, written.problems);
    if (write === undefined || isData(output)) {
      const answer: Codeowners = {
        ...{ apiVersion: 'leasehold.dev/v1', kind: 'Codeowners' },
        ...(await stateFields(context, repository, output)),
        ...written.value,
        rules: rules.value,
      };
      context.out(reportText(answer, output, () => lines));
    }
    return exit.fine;
  },
);

/** The forge of a CODEOWNERS in its own folder, such as `.gitea/`, else GitHub. */
function forgeOfOwners(file = ''): Forge {
  return forgeOf(/(?:^|[/\\])\.([a-z]+)[/\\]CODEOWNERS$/.exec(file)?.[1]) ?? 'github';
}

/** Writes the rules into a file, and keeps its other lines. */
function writeLines(
  context: CliContext,
  file: string,
  lines: string,
): Outcome<Pick<Codeowners, 'file' | 'state'>> {
  const path = resolve(context.cwd, file);
  const bytes = readNamedFile(path);
  // Each byte is one character, in any encoding of the rest of the file: these lines are ASCII.
  const text = Buffer.from(bytes ?? []).toString('latin1');
  const written = withCodeowners(file, text, lines);
  if (!written.ok) return written;
  const isSame = bytes !== undefined && written.value === text;
  if (!isSame) replaceFile(path, Buffer.from(written.value, 'latin1'));
  if (!isData(context.output)) {
    context.err(`${sanitize(file)} ${isSame ? 'is up to date' : 'is written'}\n`);
  }
  return ok({ file, state: isSame ? 'same' : 'written' });
}

/** `leasehold gitops`: the objects that let an engine apply `dist/`. */
export const gitopsCommands = group(
  subcommand(
    'argocd',
    'an AppProject that allows what leasehold writes, and Applications',
    argocdOptions,
    runArgoCD,
  ),
  subcommand(
    'argocd-cm',
    "a patch of Argo CD's settings: healthy means having the right address",
    (bare) => bare,
    (context) => {
      context.out(argocdHealthText());
      return exit.fine;
    },
  ),
  subcommand(
    'flux',
    'a source and a Kustomization, for the cluster that Flux runs in',
    fluxOptions,
    runFlux,
  ),
);

function argocdOptions(bare: NewCommand) {
  return bare
    .requiredOption('--repo <url>', 'the git repository, without credentials')
    .option('--revision <ref>', 'the branch or tag to apply', revisionValue, 'refs/heads/main')
    .option('--namespace <name>', 'the namespace that Argo CD runs in', labelOption, 'argocd')
    .option(
      '--project <name>',
      'the AppProject; also the prefix of the names of all objects',
      projectValue,
      'leases',
    )
    .addOption(clusterOption('only this cluster of leases/pools.yaml; all when left out'))
    .option(
      '--server <name=url>',
      "a cluster's API server, as Argo CD knows it; may be repeated. Argo CD's own when left out",
      textsValue,
      [],
    )
    .addOption(outOption());
}

/** `leasehold gitops argocd`. */
function runArgoCD(context: CliContext, options: OptionsOf<typeof argocdOptions>): Promise<number> {
  assertRepository(options.repo, true);
  return printText(context, options, (pools, folder) => {
    const { repo, revision, namespace, project, cluster, server } = options;
    const clusters = clusterServers(
      cluster === undefined ? pools.clusters : [declaredCluster(pools, cluster)],
      server,
    );
    return argocdText({ repo, revision, folder, namespace, project, clusters });
  });
}

function fluxOptions(bare: NewCommand) {
  return bare
    .option('--repo <url>', 'the git repository, without credentials')
    .addOption(
      new Option('--oci <url>', 'instead: an artifact made of dist/, oci://HOST/PATH').conflicts([
        'repo',
        'branch',
      ]),
    )
    .option('--branch <name>', 'the branch to apply', engineBranchValue, 'main')
    .addOption(
      new Option('--tag <name>', 'with --oci: the tag to apply')
        .argParser(tagValue)
        .default('latest')
        .conflicts('repo'),
    )
    .addOption(
      new Option(
        '--cosign-secret <name>',
        "with --oci: the Secret with cosign's public keys; an artifact that none of them has signed is refused",
      )
        .argParser(labelOption)
        .conflicts('repo'),
    )
    .option('--namespace <name>', 'the namespace of the objects', labelOption, 'flux-system')
    .option('--name <name>', 'the name of the objects', labelOption, 'leases')
    .option(
      '--secret <name>',
      'the Secret with the credentials of the repository or registry',
      labelOption,
    )
    .addOption(clusterOption('the cluster of leases/pools.yaml; needed when there are several'))
    .option('--wait-for-addresses', 'be ready only once every Service has its addresses', false)
    .addOption(outOption());
}

type FluxOptions = OptionsOf<typeof fluxOptions>;

/** `leasehold gitops flux`. */
async function runFlux(context: CliContext, options: FluxOptions): Promise<number> {
  if (options.repo !== undefined) assertRepository(options.repo, false);
  const fault = options.oci === undefined ? undefined : artifactFault(options.oci);
  // The URL is never printed: it may contain a password.
  if (fault !== undefined) throw new UsageError(`the address in --oci ${fault}`);
  return printText(context, options, (pools, folder) => {
    const { namespace, name, secret, waitForAddresses } = options;
    const source = sourceOf(options, folder);
    if (options.cluster === undefined && pools.clusters.length > 1) {
      throw new UsageError(
        'there is more than one cluster, and Flux applies in the one it runs in: name it with --cluster',
      );
    }
    const { name: cluster, shards } = declaredCluster(pools, options.cluster);
    const objects = { source, namespace, name, secret, waitForAddresses };
    return fluxText({ ...objects, cluster, shards });
  });
}

/** The source of the manifests: a git repository or an artifact of a registry. */
function sourceOf(
  { repo, oci, branch, tag, cosignSecret }: FluxOptions,
  folder: string,
): GitSource | ArtifactSource {
  if (repo !== undefined) return { kind: 'GitRepository', url: repo, branch, folder };
  if (oci !== undefined) return { kind: 'OCIRepository', url: oci, tag, cosignSecret };
  throw new UsageError('name the source of the manifests with --repo or --oci');
}

/** Where the objects go. */
function outOption() {
  return new Option('--out <file>', 'write them into this file instead of standard output');
}

/** Prints or writes a text made from the pool file and the folder of `leases/` in its repository. */
async function printText(
  context: CliContext,
  options: GlobalOptions & { readonly out?: string | undefined },
  textOf: (pools: Pools, folder: string) => string,
): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportTreeProblems(context, repository, pools.problems);
  const text = textOf(pools.value, await repository.folder());
  if (options.out === undefined) context.out(text);
  else replaceFile(resolve(context.cwd, options.out), new TextEncoder().encode(text));
  return exit.fine;
}

/** A tag of an artifact. */
function tagValue(text: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(text)) return text;
  throw new InvalidArgumentError('It is not a tag of letters, digits, . _ and -.');
}

/** A branch or a tag by its full name: a shorter one may name either. */
function revisionValue(text: string): string {
  const [, name = ''] = /^refs\/(?:heads|tags)\/(.*)$/s.exec(text) ?? [];
  if (isBranchName(name) && !name.includes('$')) return text;
  throw new InvalidArgumentError('It is not a full name such as refs/heads/main.');
}
