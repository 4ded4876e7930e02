import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A file with a wrong import, and the rule that must catch it. */
const wrong: readonly (readonly [file: string, imports: string, rule: string])[] = [
  ['src/core/net/a.ts', '../model/b.ts', 'core-net'],
  ['src/core/model/b.ts', '../allocate/c.ts', 'core-model'],
  ['src/core/interfaces/d.ts', '../text/e.ts', 'core-interfaces'],
  ['src/core/text/e.ts', '../declarations/f.ts', 'core-text'],
  ['src/core/declarations/f.ts', '../records/g.ts', 'core-declarations'],
  ['src/core/records/g.ts', '../allocate/c.ts', 'core-records'],
  ['src/core/allocate/c.ts', '../transitions/h.ts', 'core-allocate'],
  ['src/core/transitions/h.ts', '../manifests/i.ts', 'core-transitions'],
  ['src/core/manifests/i.ts', '../records/g.ts', 'core-manifests'],
  ['src/core/tree/j.ts', '../allocate/c.ts', 'core-tree'],
  ['src/core/world/k.ts', '../run/synth/l.ts', 'core-world'],
  ['src/core/run/synth/l.ts', '../review/m.ts', 'core-run-synth'],
  ['src/core/run/review/m.ts', '../../world/k.ts', 'core-run-review'],
  ['src/core/run/plan/n.ts', '../../cli/o.ts', 'core-run-plan'],
  ['src/core/run/plan/a.ts', '../../../lib/history/b.ts', 'core-run-plan'],
  ['src/core/cli/d.ts', '../../features/ask/c.ts', 'core-cli'],
  ['src/lib/history/b.ts', '../../features/ask/c.ts', 'lib-history'],
  ['src/lib/branch/cli/a.ts', '../../../features/ask/c.ts', 'lib-branch-cli'],
  ['src/features/ask/c.ts', '../bots/d.ts', 'features-ask'],
  ['src/features/bots/d.ts', '../../core/cli/o.ts', 'features-bots'],
  ['src/features/bots/cli/e.ts', '../../ask/c.ts', 'features-bots-cli'],
  ['src/features/keys/feature.ts', '../ask/c.ts', 'features-keys-cli'],
  ['src/cdk8s/b.ts', '../features/ask/c.ts', 'cdk8s'],
  ['src/garage/p.ts', '../core/net/y.ts', 'every-folder-has-a-rule'],
  ['src/core/garage/p.ts', '../net/y.ts', 'every-folder-has-a-rule'],
  ['src/lib/garage/p.ts', '../../core/net/y.ts', 'every-folder-has-a-rule'],
  ['src/features/garage/q.ts', '../../core/net/y.ts', 'every-folder-has-a-rule'],
  ['src/features/ask/f.ts', '../../core/world/k.ts', 'world-from-outside-only'],
  ['src/features/ask/r.ts', 'node:fs', 'no-world-inside'],
  ['src/core/model/clock.ts', 'node:crypto', 'no-world-inside'],
  ['src/features/ask/s.ts', 'cdk8s', 'cdk8s-in-manifests-only'],
  ['src/core/run/plan/c.ts', '../../manifests/dist-app.ts', 'constructs-in-the-app-only'],
  ['src/core/text/t.ts', '../../../imports/metallb.io.ts', 'imports-in-manifests-only'],
  ['src/core/allocate/u.ts', 'yaml', 'yaml-in-readers-only'],
  ['src/core/tree/v.ts', 'zod', 'zod-in-readers-only'],
  ['src/core/cli/w.ts', 'simple-git', 'git-in-world-only'],
  ['src/core/cli/x.ts', '@kubernetes/client-node', 'kubernetes-client-in-world-only'],
  ['src/features/serve/y.ts', 'hono', 'http-in-world-only'],
  ['src/core/world/a.ts', '@clack/prompts', 'prompts-in-cli-only'],
  ['src/features/ask/z.ts', 'prom-client', 'metrics-format-in-serve-only'],
  ['src/features/page/browser/w.ts', '../../../core/text/e.ts', 'page-on-nouns-only'],
  ['src/features/page/z.ts', './browser/w.ts', 'nothing-imports-the-page'],
  ['src/core/cli/m.ts', '../../program.ts', 'nothing-imports-an-entry-point'],
  ['src/core/cli/n.ts', '../../../test/o.ts', 'src-not-to-test'],
  ['src/core/cli/p.ts', 'vitest', 'not-to-dev-dep'],
  ['src/core/cli/q.ts', './absent.ts', 'not-unresolvable'],
  ['src/core/net/x.ts', './y.ts', 'no-circular'],
];
const others: Readonly<Record<string, string>> = {
  'src/program.ts': '',
  'src/core/cli/o.ts': '',
  'src/core/manifests/dist-app.ts': '',
  'src/core/net/orphan.ts': '',
  'src/core/net/y.ts': "import './x.ts';\n",
  'test/o.ts': '',
  'imports/metallb.io.ts': '',
};

const repository = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'leasehold-deps-'));

interface Cruise {
  readonly totalCruised: number;
  readonly violations: readonly {
    readonly from: string;
    readonly rule: { readonly name: string };
  }[];
}

function cruise(cwd: string): Cruise {
  const bin = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(repository, 'test/architecture/dependency-rules.cjs');
  const args = ['--config', config, '--output-type', 'json', 'src'];
  const options = { cwd, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [bin, ...args], options)).summary;
}

describe('the dependency rules', () => {
  let violations: string[] = [];

  beforeAll(() => {
    const put = (file: string, text: string) => {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    for (const [file, text] of Object.entries(others)) put(file, `${text}export const leaf = 1;\n`);
    for (const [file, imports] of wrong) put(file, `import '${imports}';\nexport const it = 1;\n`);
    for (const file of ['package.json', 'tsconfig.json']) {
      cpSync(join(repository, file), join(folder, file));
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    violations = cruise(folder).violations.map(({ from, rule }) => `${from} ${rule.name}`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(wrong)('%s may not import %s', (file, _imports, rule) => {
    expect(violations).toContain(`${file} ${rule}`);
  });

  test('the modules of this repository are really seen', () => {
    expect(cruise(repository).totalCruised).toBeGreaterThan(100);
  }, 60_000);

  test('a file that nothing uses is an orphan', () => {
    expect(violations).toContain('src/core/net/orphan.ts no-orphans');
  });
});
