import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A file with a wrong import, and the rule that must catch it. */
const wrong: readonly (readonly [file: string, imports: string, rule: string])[] = [
  ['src/net/a.ts', '../model/b.ts', 'room-net'],
  ['src/model/b.ts', '../allocate/c.ts', 'room-model'],
  ['src/ports/d.ts', '../text/e.ts', 'room-ports'],
  ['src/text/e.ts', '../declarations/f.ts', 'room-text'],
  ['src/declarations/f.ts', '../records/g.ts', 'room-declarations'],
  ['src/records/g.ts', '../allocate/c.ts', 'room-records'],
  ['src/allocate/c.ts', '../transitions/h.ts', 'room-allocate'],
  ['src/transitions/h.ts', '../manifests/i.ts', 'room-transitions'],
  ['src/manifests/i.ts', '../records/g.ts', 'room-manifests'],
  ['src/workspace/j.ts', '../allocate/c.ts', 'room-workspace'],
  ['src/world/k.ts', '../features/synth/l.ts', 'room-world'],
  ['src/cdk8s/b.ts', '../cli/o.ts', 'room-cdk8s'],
  ['src/features/synth/l.ts', '../review/m.ts', 'feature-synth'],
  ['src/features/review/m.ts', '../../world/k.ts', 'feature-review'],
  ['src/features/plan/n.ts', '../../cli/o.ts', 'feature-plan'],
  ['src/garage/p.ts', '../net/y.ts', 'every-room-has-a-rule'],
  ['src/features/garage/q.ts', '../../net/y.ts', 'every-room-has-a-rule'],
  ['src/features/ask/r.ts', 'node:fs', 'no-world-in-features'],
  ['src/model/clock.ts', 'node:crypto', 'no-world-in-features'],
  ['src/features/ask/s.ts', 'cdk8s', 'cdk8s-in-manifests-only'],
  ['src/text/t.ts', '../../imports/metallb.io.ts', 'imports-in-manifests-only'],
  ['src/allocate/u.ts', 'yaml', 'yaml-in-readers-only'],
  ['src/workspace/v.ts', 'zod', 'zod-in-readers-only'],
  ['src/cli/w.ts', 'simple-git', 'git-in-world-only'],
  ['src/cli/x.ts', '@kubernetes/client-node', 'kubernetes-client-in-world-only'],
  ['src/features/serve/y.ts', 'hono', 'http-in-world-only'],
  ['src/world/a.ts', '@clack/prompts', 'prompts-in-cli-only'],
  ['src/features/ask/z.ts', 'prom-client', 'metrics-format-in-serve-only'],
  ['src/page/w.ts', '../text/e.ts', 'page-on-nouns-only'],
  ['src/features/picture/z.ts', '../../page/w.ts', 'nothing-imports-the-page'],
  ['src/cli/m.ts', './main.ts', 'nothing-imports-an-entry-point'],
  ['src/cli/n.ts', '../../test/o.ts', 'src-not-to-test'],
  ['src/cli/p.ts', 'vitest', 'not-to-dev-dep'],
  ['src/cli/q.ts', './absent.ts', 'not-unresolvable'],
  ['src/net/x.ts', './y.ts', 'no-circular'],
];
const others: Readonly<Record<string, string>> = {
  'src/program/main.ts': '',
  'src/cli/o.ts': '',
  'src/net/orphan.ts': '',
  'src/net/y.ts': "import './x.ts';\n",
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
    expect(violations).toContain('src/net/orphan.ts no-orphans');
  });
});
