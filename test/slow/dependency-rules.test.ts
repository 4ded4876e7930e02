import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A file with a wrong import, and the rule that must catch it. */
const wrong: readonly (readonly [file: string, imports: string, rule: string])[] = [
  ['src/net/a.ts', '../model/b.ts', 'net-is-the-bottom'],
  ['src/model/b.ts', '../allocate/c.ts', 'model-on-net-only'],
  ['src/allocate/c.ts', '../codec/d.ts', 'engines-do-not-know-each-other'],
  ['src/codec/d.ts', '../manifests/e.ts', 'engines-do-not-know-each-other'],
  ['src/manifests/e.ts', '../report/f.ts', 'engines-do-not-know-each-other'],
  ['src/report/f.ts', 'node:fs', 'no-world-below-io'],
  ['src/model/clock.ts', 'node:crypto', 'no-world-below-io'],
  ['src/app/g.ts', '../io/h.ts', 'app-below-the-world'],
  ['src/io/h.ts', '../app/i.ts', 'adapters-see-ports-only'],
  ['src/app/i.ts', 'yaml', 'yaml-and-zod-in-codec-only'],
  ['src/app/j.ts', 'cdk8s', 'cdk8s-in-manifests-only'],
  ['src/codec/k.ts', '../../imports/metallb.io.ts', 'cdk8s-in-manifests-only'],
  ['src/cli/l.ts', 'simple-git', 'git-in-io-only'],
  ['src/live/r.ts', '../codec/d.ts', 'engines-do-not-know-each-other'],
  ['src/doctor/t.ts', '../live/r.ts', 'engines-do-not-know-each-other'],
  ['src/cli/s.ts', '@kubernetes/client-node', 'kubernetes-client-in-io-only'],
  ['src/io/a.ts', '@clack/prompts', 'prompts-in-cli-only'],
  ['src/app/u.ts', 'hono', 'http-in-io-only'],
  ['src/app/v.ts', 'prom-client', 'metrics-format-in-report-only'],
  ['src/page/w.ts', '../codec/d.ts', 'page-on-nouns-only'],
  ['src/report/z.ts', '../page/w.ts', 'nothing-imports-the-page'],
  ['src/cli/m.ts', './main.ts', 'nothing-imports-an-entry-point'],
  ['src/cli/n.ts', '../../test/o.ts', 'src-not-to-test'],
  ['src/cli/p.ts', 'vitest', 'not-to-dev-dep'],
  ['src/cli/q.ts', './absent.ts', 'not-unresolvable'],
  ['src/net/x.ts', './y.ts', 'no-circular'],
];
const others: Readonly<Record<string, string>> = {
  'src/cli/main.ts': '',
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
