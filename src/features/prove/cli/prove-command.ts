import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { reportText, stateFields, tableOption, tableStyle } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportProblems, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import {
  openTree,
  reportProblemsAt,
  reportTreeProblems,
  withTree,
} from '../../../core/cli/with-tree.ts';
import { shownPath } from '../../../core/cli/workspace-place.ts';
import type { SourceTree } from '../../../core/interfaces/tree.ts';
import { type DomainProofs, provingDomains } from '../../../core/model/domain-proof.ts';
import type { Hostname } from '../../../core/model/hostname.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { compareProblems, fail, type Outcome, ok, startOf } from '../../../core/model/problem.ts';
import { proofsFolder } from '../../../core/model/repository-paths.ts';
import { hostnameReason } from '../../../core/net/dns-name.ts';
import { domainProofPath } from '../../../core/records/domain-proof-file.ts';
import { holderOfHostnames } from '../../../core/records/hostname-file.ts';
import { type Declared, readDeclared, readProofs } from '../../../core/tree/declared.ts';
import type { Repository } from '../../../core/world/git/git-repository.ts';
import type { Dns } from '../dns.ts';
import { checkProofs, type HeldHostname, newProofs, prove, unusedProofs } from '../prove.ts';
import type { HostnameProofs, ProofCheck } from '../prove-answer.ts';
import {
  hostnameProofsText,
  proofCheckText,
  recordsToPublish,
  unusedProofsText,
} from '../prove-text.ts';
import { dnsResolver } from '../world/dns-resolver.ts';

/** `leasehold prove`: the proofs that holders of hostnames control their domains. */
export const proveCommand = command(proveOptions, (context, options, [names]) => {
  const { check, base, head, holder } = options;
  if (holder !== undefined && names.length === 0) {
    throw new UsageError('--holder is for named hostnames');
  }
  if (check && names.length > 0) throw new UsageError('--check looks up proofs, not hostnames');
  if (base !== undefined && !check) throw new UsageError('--base is for --check');
  if (head !== undefined && !check) throw new UsageError('--head is for --check');
  return check ? runCheck(context, options) : runProve(context, names, options);
});

function proveOptions(bare: NewCommand) {
  return bare
    .argument('[hostname...]', 'hostnames; all declared ones without a proof when left out')
    .option(
      '--holder <holder>',
      'who is to have the named hostnames, before they are declared: CLUSTER/namespace/NAMESPACE or CLUSTER/akash/OWNER',
      holderValue,
    )
    .option('--check', 'look up the proofs again, and write nothing')
    .option(
      '--base <ref>',
      'with --check: only the proofs that this branch or commit does not have',
    )
    .option('--head <ref>', 'with --check: the proofs of this commit instead of the working tree')
    .addOption(
      new Option(
        '--resolver <address>',
        'the IP address of a DNS resolver, with a port if it is not 53; those of this machine when left out',
      ),
    )
    .addOption(tableOption());
}

type ProveOptions = OptionsOf<typeof proveOptions>;

/** `leasehold prove` without `--check`. The tree is locked only once the DNS has answered. */
async function runProve(
  context: CliContext,
  names: readonly string[],
  options: ProveOptions,
): Promise<number> {
  const dns = dnsOf(options);
  const { tree, repository } = openTree(context, options);
  const read = readSound(tree);
  if (!read.ok) return reportTreeProblems(context, repository, read.problems);
  const { hostnames, proofs, pools } = read.value;
  const named = names.length === 0 ? undefined : namedOf(names, hostnames, options.holder);
  const today = context.today();
  const rules = pools.hostnames;
  const result = await prove({ named, hostnames, proofs, rules, today }, dns);
  const { items, writes, problems } = result;
  if (problems.length > 0) return reportProblems(context, problems.toSorted(compareProblems));
  if (writes.size > 0) await writeProofs(context, options, writes);
  const files = [...writes.keys()].sort();
  const answer: HostnameProofs = {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'HostnameProofs' },
    ...(await stateFields(context, repository, options.output)),
    ...{ items, files },
  };
  const style = tableStyle(context, options.output);
  context.out(reportText(answer, options.output, (shown) => hostnameProofsText(shown, style)));
  for (const path of files) context.err(`wrote ${shownPath(context, path)}\n`);
  context.err(recordsToPublish(items, rules));
  if (!named) {
    const unused = unusedProofs(hostnames, proofs).map((path) => shownPath(context, path));
    context.err(unusedProofsText(unused));
  }
  return exit.fine;
}

function writeProofs(
  context: CliContext,
  options: ProveOptions,
  writes: ReadonlyMap<string, string>,
): Promise<number> {
  return withTree(context, options, async ({ tree }) => {
    await tree.commit({ writes, removes: [] });
    return exit.fine;
  });
}

/** `leasehold prove --check`. */
async function runCheck(context: CliContext, options: ProveOptions): Promise<number> {
  const dns = dnsOf(options);
  const { tree, repository } = openTree(context, options);
  const { base, head } = options;
  const read = head === undefined ? readProofs(tree) : await proofsOf(repository, head);
  if (!read.ok) return reportProblemsAt(context, repository, head, read.problems);
  const before = base === undefined ? noProofs : await proofsAt(repository, base);
  const proofs = newProofs(read.value, before);
  const gone = await checkProofs(proofs, dns);
  if (gone.length > 0) {
    return reportProblemsAt(context, repository, head, gone.sort(compareProblems));
  }
  const state =
    head === undefined
      ? await stateFields(context, repository, options.output)
      : { day: context.today(), commit: (await repository.commits.resolve(head)).id };
  const answer: ProofCheck = {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'ProofCheck' },
    ...state,
    checked: proofs.length,
  };
  context.out(reportText(answer, options.output, proofCheckText));
  return exit.fine;
}

const noProofs: DomainProofs = new Map();

/** The proofs of another commit; those that cannot be read there count as missing. */
async function proofsAt(repository: Repository, ref: string): Promise<DomainProofs> {
  const read = await proofsOf(repository, ref);
  return read.ok ? read.value : noProofs;
}

async function proofsOf({ commits }: Repository, ref: string): Promise<Outcome<DomainProofs>> {
  const { id } = await commits.resolve(ref);
  return readProofs(await commits.tree(id, [proofsFolder]));
}

/** The declarations and proofs of a tree. Problems: all but HOSTNAME_UNPROVEN. */
function readSound(tree: SourceTree): Outcome<Declared & { readonly pools: Pools }> {
  const declared = readDeclared(tree);
  const { pools } = declared;
  const problems = declared.problems.filter(({ code }) => code !== 'HOSTNAME_UNPROVEN');
  if (problems.length > 0 || !pools) return fail([...problems].sort(compareProblems));
  return ok({ ...declared, pools });
}

/** The hostnames of the names on the command line: those of `holder`, or the declared ones. */
function namedOf(
  names: readonly string[],
  hostnames: readonly Hostname[],
  holder: string | undefined,
): readonly HeldHostname[] {
  return [...new Set(names)].flatMap((name) => {
    const declared = hostnames.filter((one) => one.hostname === name);
    const found = declared.filter((one) => holder === undefined || one.holder === holder);
    if (found.length > 0) return found;
    const reason = hostnameReason(name);
    if (reason !== undefined) throw new UsageError(`'${name}' is not a hostname: ${reason}`);
    if (holder === undefined) {
      throw new UsageError(
        `no declaration has the hostname ${name}; name its holder with --holder`,
      );
    }
    return [heldHostname(name, holder)];
  });
}

/** A hostname that is not declared yet. */
function heldHostname(name: string, holder: string): HeldHostname {
  const [domain = name] = provingDomains(name);
  return { hostname: name, holder, at: startOf(domainProofPath({ domain, holder })) };
}

function holderValue(text: string): string {
  const read = holderOfHostnames.safeParse(text);
  if (read.success) return text;
  throw new InvalidArgumentError(
    'Expected CLUSTER/namespace/NAMESPACE or CLUSTER/akash/OWNER, as in the record.',
  );
}

function dnsOf({ resolver }: ProveOptions): Dns {
  try {
    return dnsResolver(resolver);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`'${resolver}' is not an IP address with an optional port`);
  }
}
