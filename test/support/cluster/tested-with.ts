import { readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestCase, TestModule } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';
import { metallbVersions } from './metallb.ts';
import { versionOf } from './programs.ts';

/** Where the cluster suite says what it has shown. */
const page = 'docs/tested-with.md';

/**
 * Writes docs/tested-with.md after a run in which every scenario of the cluster suite passed. Its bytes
 * depend on the scenarios and the pinned versions alone.
 */
export class TestedWith implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.filter(({ project }) => project.name === 'cluster');
    const tests = ran.flatMap((module) => [...module.children.allTests()]);
    const files = readdirSync(resolve('test/cluster')).filter((file) => file.endsWith('.test.ts'));
    const isWhole = tests.length > 0 && ran.length === files.length;
    if (!isWhole || tests.some((test) => test.result().state !== 'passed')) return;
    writeFileSync(resolve(page), textOf(tests));
  }
}

interface Scenario {
  readonly title: string;
  readonly places: string[];
}

function textOf(tests: readonly TestCase[]): string {
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
  const names = [...chapters.keys()].sort((left, right) => (left < right ? -1 : 1));
  return `${introduction()}\n${names.map((name) => chapterText(name, chapters.get(name) ?? [])).join('\n')}`;
}

function chapterText(name: string, scenarios: readonly Scenario[]): string {
  const places = [...new Set(scenarios.flatMap((scenario) => scenario.places))].sort();
  const row = ({ title, places: shown }: Scenario): string =>
    `| ${title} | ${places.map((place) => (shown.includes(place) ? 'yes' : '–')).join(' | ')} |`;
  return `## ${name}

| scenario | ${places.map((place) => place || 'shown').join(' | ')} |
| --- |${' --- |'.repeat(places.length)}
${scenarios.map(row).join('\n')}
`;
}

function introduction(): string {
  return `# Tested with

\`npm run test:cluster\` writes this page when every scenario below has passed. It runs the real programs, built
from their published modules, on loopback and without nodes: Kubernetes ${versionOf('kubernetes')} (API server and
controllers), etcd ${versionOf('etcd')}, MetalLB ${metallbVersions.join(', ')} (controller with its
webhooks, and a speaker), Flux's source-controller ${versionOf('flux-source')}, kustomize-controller
${versionOf('flux-kustomize')} and client of registries ${versionOf('flux-artifact')}, Argo CD ${versionOf('argocd')} (application controller and repo server), and the
resource definitions and the unchanged client of the IP operator of the Akash provider ${versionOf('akash-provider')}. What a node would do, such as answering
ARP or running pods, is not shown.
`;
}
