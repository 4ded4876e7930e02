import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestCase, TestModule } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';
import { scope } from '../run/scope.ts';
import { ciliumVersions } from './machines/cilium.ts';
import { metallbVersions } from './machines/metallb.ts';
import { versionOf } from './programs/programs.ts';

/** Where the cluster suite says what it has shown. */
const page = 'docs/tested-with.md';

/**
 * Writes the chapters of docs/tested-with.md after a full run of the cluster suite, or of some of its files: those of
 * the files in which no scenario failed. A run of some tests of a file writes nothing. Each chapter has the commit that
 * was tested. In a smaller run it fails when the page lacks a scenario that passed: its chapter is to be written anew.
 */
export class TestedWith implements Reporter {
  /** Of the beginning of the run. */
  readonly #commit = scope === 'full' ? testedCommit() : '';

  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.filter(({ project }) => project.name === 'cluster');
    const tests = ran.flatMap((module) => [...module.children.allTests()]);
    if (tests.length === 0) return;
    const isFiltered = ran.some(({ project }) => project.vitest.config.testNamePattern);
    if (scope === 'full' && !isFiltered) writeChapters(ran, this.#commit);
    else failOnUnknown(tests.filter(hasPassed));
    if (ran.length === clusterFiles().length) failOnGone(tests);
  }
}

function clusterFiles(): readonly string[] {
  return readdirSync(resolve('test/cluster')).filter((file) => file.endsWith('.test.ts'));
}

/** Chapters of files that did not run stay. */
function writeChapters(ran: readonly TestModule[], commit: string): void {
  const known = ran.length === clusterFiles().length ? '' : readFileSync(resolve(page), 'utf8');
  const sound = ran.filter((module) => module.ok());
  const chapters = new Map([
    ...chaptersIn(known),
    ...chaptersOf(
      sound.flatMap((module) => [...module.children.allTests()].filter(hasPassed)),
      commit,
    ),
  ]);
  writeFileSync(resolve(page), pageText(chapters));
}

const hasPassed = (test: TestCase): boolean => test.result().state === 'passed';

function failOnUnknown(passed: readonly TestCase[]): void {
  const known = readFileSync(resolve(page), 'utf8');
  const unknown = passed.filter(
    ({ name }) => !known.includes(`\n- ${name}\n`) && !known.includes(`\n- ${name} (only `),
  );
  if (unknown.length === 0) return;
  const names = unknown.map(({ fullName }) => `  ${fullName}`).join('\n');
  console.error(
    `${page} lacks scenarios; TEST_SCOPE=full npm run test:cluster -- FILE writes those of a file:\n${names}`,
  );
  process.exitCode = 1;
}

/** Fails when the page has a scenario that no test has any more. */
function failOnGone(tests: readonly TestCase[]): void {
  const there = new Set(tests.map(({ fullName, name }) => `${chapterOf(fullName)} > ${name}`));
  const gone = [...chaptersIn(readFileSync(resolve(page), 'utf8'))].flatMap(([chapter, text]) =>
    [...text.matchAll(/^- (.+?)(?: \(only .*\))?$/gm)]
      .map(([, title]) => `${chapter} > ${title}`)
      .filter((row) => !there.has(row)),
  );
  if (gone.length === 0) return;
  console.error(`${page} has scenarios of no test:\n${gone.map((row) => `  ${row}`).join('\n')}`);
  process.exitCode = 1;
}

function chapterOf(fullName: string): string {
  return fullName.split(' > ')[0] ?? '';
}

/** The commit that was tested, and its day: `1a2b3c4d5e6f of 2026-11-20`. */
function testedCommit(): string {
  const log = ['log', '-1', '--date=format-local:%Y-%m-%d', '--format=%h of %cd'];
  const options = { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } } as const;
  return execFileSync('git', ['-c', 'core.abbrev=12', ...log], options).trim();
}

interface Scenario {
  readonly title: string;
  readonly places: string[];
}

/** The chapters of the page as it is, by name: their texts without the heading. */
function chaptersIn(text: string): ReadonlyMap<string, string> {
  const [, ...chapters] = text.split('\n## ');
  return new Map(
    chapters.map((chapter) => {
      const [name = '', ...lines] = chapter.split('\n');
      return [name, lines.join('\n').trim()];
    }),
  );
}

/** The chapters of scenarios that passed. */
function chaptersOf(tests: readonly TestCase[], commit: string): ReadonlyMap<string, string> {
  const chapters = new Map<string, Scenario[]>();
  for (const test of tests) {
    const [chapter = '', ...rest] = test.fullName.split(' > ').slice(0, -1);
    const scenarios = chapters.get(chapter) ?? [];
    chapters.set(chapter, scenarios);
    const place = rest.join(', ');
    const known = scenarios.find(({ title }) => title === test.name);
    if (known) known.places.push(place);
    else scenarios.push({ title: test.name, places: [place] });
  }
  return new Map([...chapters].map(([name, scenarios]) => [name, chapterText(scenarios, commit)]));
}

function pageText(chapters: ReadonlyMap<string, string>): string {
  const names = [...chapters.keys()].sort((left, right) => (left < right ? -1 : 1));
  const texts = names.map((name) => `\n## ${name}\n\n${chapters.get(name)}\n`);
  return `${introduction()}${texts.join('')}`;
}

/** The places of a chapter, and its scenarios; a scenario of some places names them. */
function chapterText(scenarios: readonly Scenario[], commit: string): string {
  const places = [...new Set(scenarios.flatMap((scenario) => scenario.places))].sort();
  const where = places.filter((place) => place !== '').join('; ');
  const item = ({ title, places: shown }: Scenario): string =>
    places.every((place) => shown.includes(place))
      ? `- ${title}`
      : `- ${title} (only ${[...shown].sort().join('; ')})`;
  const head = where === '' ? [] : [`${where}:`];
  return [`Commit ${commit}.`, ...head, scenarios.map(item).join('\n')].join('\n\n');
}

function introduction(): string {
  return `# Tested with

\`TEST_SCOPE=full npm run test:cluster\` writes each chapter of this page when every scenario in it has passed, with the
commit that was tested last. On every pull request each scenario runs in one of its places. The real programs run, built
from their published modules, on loopback and on a bridge: Kubernetes ${versionOf('kubernetes')} (API server, controllers
and kube-proxy), etcd ${versionOf('etcd')}, MetalLB ${metallbVersions.join(', ')} (controller with its
webhooks, and a speaker), frr-k8s ${versionOf('frr-k8s')} with FRR, LB-IPAM of Cilium ${ciliumVersions.join(', ')} (no agent runs, so nothing is announced), Flux's source-controller ${versionOf('flux-source')}, kustomize-controller
${versionOf('flux-kustomize')} and client of registries ${versionOf('flux-artifact')}, Helm's templates ${versionOf('helm')}, CoreDNS ${versionOf('coredns')}, external-dns ${versionOf('external-dns')} (source, plan and registry), Traefik ${versionOf('traefik')} (providers of the Gateway API and Ingress, and router), Argo CD ${versionOf('argocd')} (application controller and repo server), and the
resource definitions and the unchanged client of the IP operator of the Akash provider ${versionOf('akash-provider')}. No kubelet runs:
only the chapters "On the wire", "Names on the wire" and "BGP with frr-k8s" have nodes, which are network namespaces with MetalLB's speaker and kube-proxy.
`;
}
