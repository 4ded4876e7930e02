import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOfNetwork, removeStale } from '../../support/cluster/programs/build-programs.ts';
import { everySource } from '../../support/cluster/programs/programs.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const folder = 'test/cluster/programs';
const built = everySource.filter(({ binaries }) => binaries);

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

  test.each(everySource)('$name is pinned to one version, by hash', (source) => {
    expect(source.version).toMatch(/^v\d+\.\d+\.\d+$/);
    const file = join(folder, source.name, 'go.sum');
    const sums = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const isInSums = sums.includes(`${source.module} ${source.version} h1:`);
    expect(isInSums || /^h1:/.test(source.sum ?? '')).toBe(true);
  });

  test('no file of another module is kept beside ours', () => {
    const others = everySource.flatMap(({ name, unmodified = [] }) =>
      unmodified.map((file) => join(folder, name, file)),
    );
    expect(others).toContain(`${folder}/ip-client/cluster/kube/operators/clients/ip/client.go`);
    expect(others.filter((file) => existsSync(file))).toEqual([]);
  });
});

describe('the build of the programs', () => {
  test('removes what an interrupted build has left, and nothing else', () => {
    const cache = tempTree();
    const names = ['etcd-0123', 'etcd-0123.77', 'flux-0123.78'];
    for (const name of names) mkdirSync(join(cache, name));
    const old = new Date(0);
    utimesSync(join(cache, 'etcd-0123'), old, old);
    utimesSync(join(cache, 'etcd-0123.77'), old, old);
    removeStale(cache);
    removeStale(join(cache, 'none'));
    expect(readdirSync(cache).sort()).toEqual(['etcd-0123', 'flux-0123.78']);
  });

  test.each([
    ['dial tcp 127.0.0.1:1: connect: connection refused', true],
    ['reading https://proxy.example/x/@v/v1.2.3.zip: 502 Bad Gateway', true],
    ['read tcp 10.0.0.2:4312: read: connection reset by peer', true],
    ['stream error: stream ID 5; INTERNAL_ERROR; received from peer', true],
    ['reading https://proxy.example/x/@v/v1.2.3.zip: 404 Not Found', false],
    ['main.go:500: undefined: x', false],
    ['verifying module: checksum mismatch', false],
  ])('%s: tries again is %s', (text, isAgain) => {
    expect(isOfNetwork(text)).toBe(isAgain);
  });
});
