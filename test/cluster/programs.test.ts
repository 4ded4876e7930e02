import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { programFolder, programSources } from '../support/cluster/programs/programs.ts';

// CI runs this file first and alone. Missing programs are built before it, so that no other test runs beside
// compilers.

/** The modules that a binary is built from, each as `MODULE VERSION`. */
function modulesOf(path: string): readonly string[] {
  const lines = execFileSync('go', ['version', '-m', path], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, kind, module, version] = line.split('\t');
    return kind === 'mod' || kind === 'dep' ? [`${module} ${version}`] : [];
  });
}

describe.skipIf(inject('clusterIsMissing'))('Programs of the cluster suite', () => {
  test('are built from the modules and versions of programs.json', () => {
    // Of a module that no go.mod of ours has, only files are compiled: a binary does not name it.
    const sources = programSources.filter(({ sum }) => sum === undefined);
    for (const { name, module, version, binaries, tests } of sources) {
      for (const binary of Object.keys({ ...binaries, ...tests })) {
        const modules = modulesOf(join(programFolder(name), binary));
        // Go names the modules of a program, and of a test of one, and not those of another test.
        const isNamed = modules.length > 1;
        expect(isNamed, `${binary} of ${name}`).toBe(tests?.[binary] !== './operator/pkg/lbipam');
        if (isNamed) expect(modules, `${binary} of ${name}`).toContain(`${module} ${version}`);
      }
    }
  });
});
