import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readManifests } from '../../../../src/core/manifests/manifest-objects.ts';

const cases = 'test/golden/cases';
const files = [cases, 'dist'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /(^|\/)dist\/.*\.yaml$/.test(path)),
);

describe('readManifests', () => {
  it('reads every manifest as yaml does', { tags: 'slow' }, () => {
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const objects = parseAllDocuments(text, { version: '1.1' }).map((document) =>
        document.toJS(),
      );

      expect(JSON.stringify(readManifests(text).map(({ object }) => object)), file).toBe(
        JSON.stringify(objects),
      );
    }
  });

  it('names each object', () => {
    const text = readFileSync('dist/default/leasehold.yaml', 'utf8');

    expect(readManifests(text)).toEqual([
      expect.objectContaining({ kind: 'configMap', name: 'ConfigMap metallb-system/leasehold' }),
    ]);
  });

  it.each([
    'null',
    '"a\\nb"',
    '1.5',
    '0x1F',
    'yes',
    '12:30',
    'a: b',
    '- x',
    '1e3',
    '| \n    x',
    "''",
  ])('leaves to yaml what is not plainly a text or a number: %s', (scalar) => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: ${scalar}\n`;
    const [document] = parseAllDocuments(text, { version: '1.1' });

    if (document!.errors.length > 0) expect(() => readManifests(text)).toThrow();
    else expect(readManifests(text)[0]!.object.data).toEqual(document!.toJS().data);
  });

  it('refuses a kind that leasehold does not write', () => {
    expect(() => readManifests('apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n')).toThrow(
      /Secret/,
    );
  });
});
