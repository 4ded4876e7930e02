import { forgeOfHost, forges } from '../../../core/model/forges/forges.ts';
import { type Engine, examplePaths } from '../../../core/model/repository-paths.ts';
import { engineSetups } from './engine-setup.ts';
import { forgeSetups } from './forge-setup.ts';
import type { SetupAnswers, ToolSource } from './setup.ts';
import { cdk8sCli } from './tool.ts';

/** The README of a repository, for its tenants and its operators. */
export function readmeText(answers: SetupAnswers, enginePaths: readonly string[]): string {
  const text = [
    intro,
    leaseSection(answers),
    reviewSection(answers),
    ...(answers.engine ? [engineSection(answers.engine.kind, enginePaths)] : []),
    files,
    daily,
  ].join('\n');
  return text.replaceAll(`](${installed}/`, `](${pagesOf(answers.tool, answers.forge)}`);
}

/** The pages of leasehold where it is installed. No forge shows them. */
const installed = 'node_modules/leasehold';

/**
 * Where the forge of a copy of leasehold shows its files, as the start of a link; the top of the
 * copy on an unknown forge; the installed files for a tarball elsewhere. `forge` is that of the
 * leases.
 */
export function pagesOf(tool: ToolSource, forge: SetupAnswers['forge']): string {
  const release = /\/(?:-\/)?releases\/.*$/;
  if (tool.kind === 'path' || (tool.kind === 'tarball' && !release.test(tool.url))) {
    return `${installed}/`;
  }
  const web = tool.url
    .replace(tool.kind === 'tarball' ? release : '', '')
    .replace(/^[^/@]+@([^:/]+):\/?/, 'https://$1/')
    .replace(/^ssh:\/\/(?:[^@/]*@)?([^:/]+)(?::\d+)?\//, 'https://$1/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const host = /^https?:\/\/([^/]*)/.exec(web)?.[1] ?? '';
  const own = forgeOfHost(host) ?? forge;
  return own === undefined ? `${web}#` : `${web}/${forges[own].blob}/HEAD/`;
}

const intro = `# Leased addresses

Static IP addresses, assigned through git with [leasehold](node_modules/leasehold/README.md). To lease an address, declare it in a
file: the pull request shows which address it gets before it is live.

You need git, Node 20.12 or later, and npm. After a clone:

\`\`\`sh
npm install
npx --no -- leasehold list
\`\`\`

With \`--no\`, npx runs only the leasehold that is installed here, never a package of that name from npm's registry; after
\`--\`, all options are those of leasehold. Messages leave \`npx --no --\` out: run the \`leasehold synth\` of a hint as \`npx --no -- leasehold synth\`.
`;

function leaseSection({ profile }: SetupAnswers): string {
  const example = examplePaths[profile];
  const [, folder = ''] = example.split('/');
  const what =
    profile === 'akash'
      ? 'Its owner, its numbers and its endpoints come from the lease on the chain'
      : 'You may declare any Service of type LoadBalancer';
  const kind = profile === 'akash' ? 'lease' : 'service';
  return `## Lease an address

On a new branch, such as \`git checkout -b lease\`:

\`\`\`sh
npx --no -- leasehold add ${kind}
npx --no -- leasehold synth
git add -A
git commit -m "Lease an address for ${folder}"
\`\`\`

\`add\` asks what to declare, and writes a file below \`leases/\`. ${what}.
You can also copy and edit [an example](${example}). \`synth\` prints the address. Commit everything that it wrote: the allocation below \`leases/allocations/\` and the
manifests below \`dist/\`. To end a lease, remove its file with \`git rm\` and run \`synth\` again.
`;
}

function reviewSection({ forge, branch }: SetupAnswers): string {
  const page = 'node_modules/leasehold/docs/pull-requests.md';
  if (forge === undefined) {
    return `## Review it

\`\`\`sh
npx --no -- leasehold plan --base origin/${branch}
npx --no -- leasehold check --base origin/${branch}
\`\`\`

\`plan\` shows what a branch changes, and \`check\` decides whether it may. Run both in CI: [pull requests](${page}).
`;
  }
  return `## Review it\n\n${forgeSetups[forge].reviews(branch, page)}\n`;
}

function engineSection(kind: Engine, paths: readonly string[]): string {
  const name = engineSetups[kind].title;
  const [where, context] =
    paths.length === 1
      ? ['Run once, in its cluster', '']
      : [
          'Run each command once, with the context of the cluster of that file',
          ' --context CONTEXT',
        ];
  return `## Apply it

${name} applies \`dist/\` of each cluster: [how, and what to do when a sync
fails](node_modules/leasehold/docs/${kind}.md). ${where}:

\`\`\`sh
${paths.map((path) => `kubectl apply -f ${path}${context}`).join('\n')}
\`\`\`
`;
}

const files = `## What is here

| | |
| --- | --- |
| \`leases/pools.yaml\` | the addresses: [pools](node_modules/leasehold/docs/pools.md) |
| \`leases/policy.yaml\` | who may declare what: [policy](node_modules/leasehold/docs/policy.md) |
| \`leases/**/*.yaml\` | the declarations: [leases](node_modules/leasehold/docs/leases.md), [Services](node_modules/leasehold/docs/services.md), [charts](node_modules/leasehold/docs/charts.md) |
| \`leases/allocations/\` | the assigned addresses. Only leasehold writes there: [allocations](node_modules/leasehold/docs/allocations.md) |
| \`leases/hostnames/\` | the assigned hostnames. Only leasehold writes there: [hostnames](node_modules/leasehold/docs/hostnames.md) |
| \`dist/\` | the manifests of each cluster. Only leasehold writes there: [manifests](node_modules/leasehold/docs/manifests.md) |
| \`package.json\` | the version of leasehold in use. Commit \`package-lock.json\` too |
| \`cdk8s.yaml\` | lets \`npx --package cdk8s-cli@${cdk8sCli} cdk8s synth --check-upgrade=false\` do the same as \`npx --no -- leasehold synth\` |
`;

const daily = `## Day by day

| | |
| --- | --- |
| \`npx --no -- leasehold who ADDRESS\`, \`history ADDRESS\`, \`pools\` | [who has an address](node_modules/leasehold/docs/asking.md), who had it, and the usage of the pools |
| \`npx --no -- leasehold move\`, \`release\`, \`pin\` | [operations](node_modules/leasehold/docs/operations.md): each prints the connections that it cuts |
| \`npx --no -- leasehold resolve\` | [two branches leased at once](node_modules/leasehold/docs/together.md) |
| \`npx --no -- leasehold doctor\`, \`verify\` | [whether a cluster is ready](node_modules/leasehold/docs/doctor.md), and [whether it has what is declared](node_modules/leasehold/docs/verify.md) |
| a full pool, an abused address, a lost cluster | [day two](node_modules/leasehold/docs/day-two.md) |
| \`npx --no -- leasehold explain CODE\` | the meaning of a problem, and its fix |
`;
