import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sizes } from '../architecture/size.mjs';
import { drawn, importersByFile, roomImports } from '../support/docs/rooms.ts';

const repository = join(import.meta.dirname, '../..');

/** The pictures of src/README.md are drawn from the imports of src. UPDATE_GOLDEN=1 draws them anew. */
const page = join(repository, 'src/README.md');
const update = process.env.UPDATE_GOLDEN === '1' && !process.env.CI;

const pictures: readonly (readonly [name: string, roomOf: (path: string) => string | undefined])[] =
  [
    ['rooms', (path) => /^core\/(\w+)\//.exec(path)?.[1]],
    ['features', (path) => /^features\/([^/]+)\//.exec(path)?.[1]],
  ];

test.each(pictures)(
  'the picture of the %s in src/README.md shows the imports of src',
  (name, roomOf) => {
    const text = readFileSync(page, 'utf8');
    const block = new RegExp(`(?<=<!-- ${name} -->\n)[^]*?(?=<!-- end -->)`);
    expect(text).toMatch(block);
    const picture = drawn(roomImports(roomOf));
    if (update) writeFileSync(page, text.replace(block, picture));
    else expect(block.exec(text)?.[0]).toBe(picture);
  },
);

test('the table of src/features/README.md has each feature, and about as many lines as it has', () => {
  const file = join(repository, 'src/features/README.md');
  const text = readFileSync(file, 'utf8');
  const row = /^\| `(\w+)` \| (.+) \| (\d+) \|$/gm;
  const counts = new Map(
    [...sizes()].flatMap(([folder, lines]) =>
      folder.startsWith('features/') ? [[folder.slice('features/'.length), lines]] : [],
    ),
  );
  const rounded = (lines = 0) => String(Math.round(lines / 100) * 100);
  const filled = text.replace(
    row,
    (_, name, whom) => `| \`${name}\` | ${whom} | ${rounded(counts.get(name))} |`,
  );
  if (update) writeFileSync(file, filled);
  const told = new Map(
    [...text.matchAll(row)].map(([, name, , lines = '']) => [name, Number(lines)]),
  );
  expect([...told.keys()]).toEqual([...counts.keys()]);
  if (update) return;
  for (const [name, lines] of counts)
    expect([name, Math.abs((told.get(name) ?? 0) - lines) < Math.max(150, lines / 10)]).toEqual([
      name,
      true,
    ]);
});

describe('pages for builders', () => {
  const rooms = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('README.md'))
    .map((path) => `src/${path}`);

  test.each(['CONTRIBUTING.md', 'src/DECISIONS.md', ...rooms])(
    '%s names files that exist',
    (page) => {
      const text = readFileSync(join(repository, page), 'utf8').replace(/```.*?```/gs, '');
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        join(dirname(page), link),
      );
      const named = [
        ...text
          .replace(/\[[^\]]*\]\([^)]*\)/g, '')
          .matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?|[\w-]+\.(?:ts|cjs|mjs))`/g),
      ]
        .map(([, name = '']) => name)
        .filter(
          (name) =>
            /\.(?:ts|cjs|mjs|json|md|yaml)$/.test(name) || /^(?:src|test|docs)\//.test(name),
        )
        .map(
          (name) => places(page, name).find((path) => existsSync(join(repository, path))) ?? name,
        );
      expect([...links, ...named].filter((path) => !existsSync(join(repository, path)))).toEqual(
        [],
      );
    },
  );
});

/** The paths that a name in a page can mean. */
function places(page: string, name: string): readonly string[] {
  const room = dirname(page);
  const folders = ['', 'src', room, ...subfolders(room)];
  return folders.map((folder) => join(folder, name));
}

function subfolders(folder: string): readonly string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
    )
    .map(({ name }) => join(folder, name));
}

/** Folders with a file for each member of a registry. */
const registries: readonly string[] = ['src/core/model/forges'];

/** Lines below which a file with one export and one importer in its own folder is a part of that importer. */
const crumb = 40;

test('no file of src is a crumb: one export, few lines, and one importer in its own folder', () => {
  const crumbs = [...importersByFile()].flatMap(([path, importers]) => {
    const text = readFileSync(path, 'utf8');
    const [only, ...others] = importers;
    const isPart = only !== undefined && others.length === 0 && dirname(only) === dirname(path);
    const exported = text.match(/^export /gm)?.length ?? 0;
    const isSmall = exported === 1 && text.split('\n').length <= crumb;
    const isMember = registries.includes(relative(repository, dirname(path)));
    return isPart && isSmall && !isMember ? [relative(repository, path)] : [];
  });
  expect(crumbs).toEqual([]);
});

test('no text of src names a page of docs, which a repository of leases does not have', () => {
  const page = /(?<!node_modules\/leasehold\/)docs\/(?:schemas\/ |[\w-]+\.md)/;
  const named = [...importersByFile().keys()].flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line) && page.test(line))
      .map((line) => `${relative(repository, path)}: ${line.trim()}`),
  );
  expect(named).toEqual([]);
});

test('no folder of src has more than twenty files', () => {
  const counts = new Map<string, number>();
  for (const path of importersByFile().keys()) {
    const folder = relative(repository, dirname(path));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
});

test('a test whose count goes by the scope is tagged, so that npm run test:more runs it', () => {
  const untagged = testFiles('unit', 'property', 'golden', 'cli').filter(({ text }) => {
    const isCounted = /^import .*support\/run\/scope\.ts';$/m.test(text);
    return isCounted && !/^\/\/ @module-tag (?:counted|slow)$/m.test(text);
  });
  expect(untagged.map(({ path }) => path)).toEqual([]);
});

test('each property has a seed: two runs of one commit try the same cases', () => {
  const random = testFiles('unit', 'property', 'golden', 'cli', 'browser', 'slow').filter(
    ({ text }) => {
      const properties = text.match(/\bfc\.(?:assert|check|sample)\(/g) ?? [];
      return properties.length > (text.match(/\bseed\b/g) ?? []).length;
    },
  );
  expect(random.map(({ path }) => path)).toEqual([]);
});

/** The test files of some projects, with their texts. */
function testFiles(...names: readonly string[]) {
  const files = names.flatMap((name) =>
    readdirSync(join(repository, 'test', name), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join('test', name, path)),
  );
  expect(files.length).toBeGreaterThan(300);
  return files.map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));
}

test('each fault of the mutation run finds its text once, and its test file is there', () => {
  interface Mutation {
    readonly file: string;
    readonly find: string;
    readonly test: string;
  }
  const read = (path: string): string =>
    existsSync(join(repository, path)) ? readFileSync(join(repository, path), 'utf8') : '';
  const mutations: readonly Mutation[] = parse(read('test/mutations/mutations.yaml'));
  expect(mutations.length).toBeGreaterThan(60);
  const rotten = mutations.filter(
    ({ file, find, test: path }) => read(file).split(find).length !== 2 || read(path) === '',
  );
  expect(rotten).toEqual([]);
});
