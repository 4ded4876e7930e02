import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programSources } from '../../support/cluster/programs/programs.ts';

const folder = 'test/cluster/programs';
const built = programSources.filter(({ binaries }) => binaries);

describe('the programs of the cluster suite', () => {
  test('every go.mod is named in programs.json', () => {
    const modules = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'go.mod')));
    expect(modules.sort()).toEqual(built.map(({ name }) => name).sort());
  });

  test.each(built.filter(({ sum }) => !sum))(
    '$name is built in the version that programs.json says',
    (source) => {
      const module = readFileSync(join(folder, source.name, 'go.mod'), 'utf8');
      const sums = readFileSync(join(folder, source.name, 'go.sum'), 'utf8');
      const required = new RegExp(
        `^(?:require )?\\s*${source.module} ${source.version}(?: |$)`,
        'm',
      );
      expect(module).toMatch(required);
      expect(sums).toContain(`${source.module} ${source.version} h1:`);
    },
  );

  test.each(programSources)('$name is pinned to one version, by hash', (source) => {
    expect(source.version).toMatch(/^v\d+\.\d+\.\d+$/);
    const file = join(folder, source.name, 'go.sum');
    const sums = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const isInSums = sums.includes(`${source.module} ${source.version} h1:`);
    expect(isInSums || /^h1:/.test(source.sum ?? '')).toBe(true);
  });

  test('no file of another module is kept beside ours', () => {
    const others = programSources.flatMap(({ name, unmodified = [] }) =>
      unmodified.map((file) => join(folder, name, file)),
    );
    expect(others).toContain(`${folder}/ip-client/cluster/kube/operators/clients/ip/client.go`);
    expect(others.filter((file) => existsSync(file))).toEqual([]);
  });
});
