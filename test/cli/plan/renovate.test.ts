// @module-tag slow
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emptyRepository, init, repo } from '../../support/run/init-run.ts';
import { content, filesOf } from '../../support/trees/temp-tree.ts';

interface Manager {
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
  readonly autoReplaceStringTemplate?: string;
}

const preset: { customManagers: readonly Manager[] } = JSON.parse(
  readFileSync('docs/ci/renovate.json', 'utf8'),
);

const [oldDigest, newDigest] = ['a'.repeat(64), 'b'.repeat(64)];
const release = (version: string, digest: string): string =>
  `https://github.com/acme/leasehold/releases/download/v${version}/leasehold-${version}.tgz${digest && `#sha256=${digest}`}`;
const copy = (version: string): string => `https://github.com/acme/leasehold.git#v${version}`;

/** What `init` writes for a forge and a source of leasehold. */
async function written(forge: string, source: string): Promise<Readonly<Record<string, string>>> {
  const root = emptyRepository();
  const engine = ['--engine', 'argocd', '--repo', repo];
  const words = ['--for', 'platform', '--pool', 'p=203.0.113.0/28', '--forge', forge, ...engine];
  expect(await init(root, ...words, '--leasehold', source)).toMatchObject({ status: 0 });
  const files = Object.entries(filesOf(content(root)));
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.git/')));
}

/** Updates 0.1.0 to 0.2.0 as Renovate does: docs.renovatebot.com, "Custom Manager Support using Regex". */
function updated(path: string, text: string): string {
  return preset.customManagers
    .filter(({ managerFilePatterns: patterns }) =>
      patterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(path)),
    )
    .reduce((before, { matchStrings, autoReplaceStringTemplate: template }) => {
      const [pattern = ''] = matchStrings;
      return before.replace(new RegExp(pattern, 'g'), (found, ...rest) => {
        const { packageName, currentValue, currentDigest } = rest.at(-1);
        expect([packageName, currentValue]).toEqual([
          expect.stringMatching(/acme\/leasehold(\.git)?$/),
          'v0.1.0',
        ]);
        if (template === undefined) {
          const next = found.replaceAll(currentValue, 'v0.2.0');
          return currentDigest === undefined ? next : next.replaceAll(currentDigest, newDigest);
        }
        return template
          .replace('{{{packageName}}}', packageName)
          .replace('{{{newValue}}}', 'v0.2.0')
          .replace("{{{replace '^v' '' newValue}}}", '0.2.0')
          .replace(/\{\{#if newDigest\}\}(.*)\{\{\/if\}\}/, currentDigest === undefined ? '' : '$1')
          .replace('{{{newDigest}}}', newDigest);
      });
    }, text);
}

describe.each([
  ['github', 'a release', release('0.1.0', ''), release('0.2.0', '')],
  ['github', 'a release with its digest', release('0.1.0', oldDigest), release('0.2.0', newDigest)],
  ['github', 'a copy', copy('0.1.0'), copy('0.2.0')],
  ['gitlab', 'a release', release('0.1.0', ''), release('0.2.0', '')],
  ['gitlab', 'a release with its digest', release('0.1.0', oldDigest), release('0.2.0', newDigest)],
  ['gitlab', 'a copy', copy('0.1.0'), copy('0.2.0')],
  [
    'forgejo',
    'a release with its digest',
    release('0.1.0', oldDigest),
    release('0.2.0', newDigest),
  ],
  ['gitea', 'a copy', copy('0.1.0'), copy('0.2.0')],
])('the preset of Renovate, for the forge %s with %s', (forge, _, before, after) => {
  test('gives every file of init the next version', async () => {
    const files = await written(forge, before);
    const results = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, updated(path, text)]),
    );
    const wanted = await written(forge, after);
    // Renovate's manager of npm knows a tag of a git repository by itself, and updates the lock file.
    if (before.includes('.git#')) {
      expect(results['package.json']).toContain('leasehold.git#v0.1.0');
      results['package.json'] = wanted['package.json'] ?? '';
    }
    expect(results).toEqual(wanted);
  });
});
