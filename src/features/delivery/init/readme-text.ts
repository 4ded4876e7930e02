import { examplePaths } from '../../../model/setup-files.ts';
import type { SetupAnswers } from './setup.ts';
import { cdk8sCli } from './tool.ts';

/** The README of a repository, for those who lease addresses in it and those who run it. */
export function readmeText(answers: SetupAnswers, enginePaths: readonly string[]): string {
  return [
    intro,
    leaseSection(answers),
    reviewSection(answers),
    ...(answers.engine ? [engineSection(answers.engine.kind, enginePaths)] : []),
    files,
    daily,
  ].join('\n');
}

const intro = `# Leased addresses

Static IP addresses, handed out through git with [leasehold](node_modules/leasehold/README.md). Who leases an address declares it in
a file; the pull request shows which address it gets, before it is live.

You need git, Node 20.12 or later, and npm. After a clone:

\`\`\`sh
npm install
npx --no leasehold list
\`\`\`

\`--no\` keeps npx to the leasehold that is installed here: what npm's registry has under that name, if anything, is not it.
`;

function leaseSection({ profile }: SetupAnswers): string {
  const example = examplePaths[profile];
  const [, folder = '', name = ''] = example.split('/');
  const what =
    profile === 'akash'
      ? 'Its owner, its numbers and its endpoints are those of the lease on the chain'
      : 'Any Service of type LoadBalancer may stand there';
  return `## Lease an address

On a branch, put a file into a folder of yours below \`leases/\`. There is an example:

\`\`\`sh
mkdir -p leases/${folder}
cp ${example} leases/${folder}/${name}
\`\`\`

${what}. Edit it, then:

\`\`\`sh
npx --no leasehold synth
git add -A
git commit -m "Lease an address for ${folder}"
\`\`\`

\`synth\` says which address it gets. Commit all that it wrote: the allocation below \`leases/allocations/\`, and the manifests below \`dist/\`.
To end a lease, remove its file with \`git rm\`, and run \`synth\` again.
`;
}

function reviewSection({ forge, branch }: SetupAnswers): string {
  const page = 'node_modules/leasehold/docs/pull-requests.md';
  if (forge === undefined) {
    return `## Review it

\`\`\`sh
npx --no leasehold plan --base origin/${branch}
npx --no leasehold check --base origin/${branch}
\`\`\`

\`plan\` says what a branch does to addresses, and \`check\` whether it may. Let CI run both: [pull requests](${page}).
`;
  }
  const told =
    forge === 'github'
      ? `Every pull request gets a plan as a comment, and the check \`plan\`. In a ruleset for \`${branch}\`, require that check, a review by code
owners, and a merge queue or branches that are up to date: [why](${page}).`
      : `Every merge request gets a plan as a comment, and the job \`leasehold-plan\`. In the settings, require that pipelines succeed, and turn
on merged results or merge trains. The comment needs the CI/CD variable \`GITLAB_TOKEN\`: [how](${page}).`;
  return `## Review it\n\n${told}\n`;
}

function engineSection(kind: 'argocd' | 'flux', paths: readonly string[]): string {
  const name = kind === 'argocd' ? 'Argo CD' : 'Flux';
  const where =
    paths.length === 1
      ? 'Once, in its cluster'
      : 'Once, each file in its own cluster, and not all of them in one';
  return `## Apply it

${name} applies \`dist/\` of each cluster: [how, and what to do when a sync
fails](node_modules/leasehold/docs/${kind}.md). ${where}:

\`\`\`sh
${paths.map((path) => `kubectl apply -f ${path}`).join('\n')}
\`\`\`
`;
}

const files = `## What is here

| | |
| --- | --- |
| \`leases/pools.yaml\` | the addresses there are: [pools](node_modules/leasehold/docs/pools.md) |
| \`leases/policy.yaml\` | who may declare what: [policy](node_modules/leasehold/docs/policy.md) |
| \`leases/**/*.yaml\` | who leases: [leases](node_modules/leasehold/docs/leases.md), [Services](node_modules/leasehold/docs/services.md), [charts](node_modules/leasehold/docs/charts.md) |
| \`leases/allocations/\` | who has which address. Only leasehold writes there: [allocations](node_modules/leasehold/docs/allocations.md) |
| \`dist/\` | what clusters apply. Only leasehold writes there: [manifests](node_modules/leasehold/docs/manifests.md) |
| \`package.json\` | the commit of leasehold that runs. Commit \`package-lock.json\` too |
| \`cdk8s.yaml\` | lets \`npx --package cdk8s-cli@${cdk8sCli} cdk8s synth --check-upgrade=false\` do what \`npx --no leasehold synth\` does |
`;

const daily = `## Day by day

| | |
| --- | --- |
| \`npx --no leasehold who ADDRESS\`, \`history ADDRESS\`, \`pools\` | [who has an address](node_modules/leasehold/docs/asking.md), who had it, how full the pools are |
| \`npx --no leasehold move\`, \`release\`, \`pin\` | [operations](node_modules/leasehold/docs/operations.md), each of which says what it cuts |
| \`npx --no leasehold resolve\` | [two people leased at once](node_modules/leasehold/docs/together.md) |
| \`npx --no leasehold doctor\`, \`verify\` | [can the cluster do it](node_modules/leasehold/docs/doctor.md), and [does it](node_modules/leasehold/docs/verify.md) |
| a full pool, an abused address, a lost cluster | [day two](node_modules/leasehold/docs/day-two.md) |
| \`npx --no leasehold explain CODE\` | what a problem means, and what to do |
`;
