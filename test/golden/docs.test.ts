import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commandsOf, type Fence, fencesOf } from '../support/docs/doc-page.ts';
import { type GitRepository, gitRepository } from '../support/repositories/git-repository.ts';
import { runOn } from '../support/run/run-in-process.ts';

/*
 * Every page is followed from top to bottom in a fresh git repository that holds the shipped example:
 * a YAML, JSON or CSV block with a file name is written to that file, a console block is run, and what it prints is
 * what the page says. A day after `console` is what the clock says from there on, at first that of the example.
 * UPDATE_GOLDEN=1 writes what was printed into the pages.
 */
const repository = resolve(import.meta.dirname, '../..');
const pages = ['README.md', ...readdirSync(join(repository, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md'))
  .sort();
const update = process.env.UPDATE_GOLDEN === '1' && !process.env.CI;
const folders: string[] = [];

/** The day of the example, and of a page that says no other. */
const firstDay = '2026-11-21';

/** Commands that a page shows and this test cannot run: CI runs the first ones from a clean clone. */
const elsewhere =
  /^(npm ci && npm run synth|npm test|npm run \S+|git clone .*|cd \S+|kubectl .*|npx cdk8s synth)$/;

function workspace(): GitRepository {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-docs-'));
  folders.push(folder);
  for (const part of ['leases', 'dist', '.gitignore']) {
    cpSync(join(repository, part), join(folder, part), { recursive: true });
  }
  const workspace = gitRepository(folder).on(firstDay);
  workspace.git('add', '-A');
  workspace.git('commit', '-q', '-m', 'The example');
  return workspace;
}

/** What a command printed, and how it ended when that was not well. */
function withStatus(status: number | null, text: string): string {
  return `${text}${status === 0 ? '' : `exit status ${status}\n`}`;
}

async function printed(
  command: string,
  { root, tried }: GitRepository,
  day: string,
): Promise<string> {
  const [program = '', ...words] = command
    .match(/"[^"]*"|\S+/g)!
    .map((word) => word.replace(/^"|"$/g, ''));
  if (program === 'git') {
    const { status, stdout } = tried(...words);
    return withStatus(status, stdout);
  }
  if (program === 'cat')
    return words.map((file) => readFileSync(join(root, file), 'utf8')).join('');
  if (program === 'npx' && words.slice(0, 3).join(' ') === '--no -- leasehold') {
    // `> FILE` at the end writes what is printed on standard output to a file.
    const target = words.at(-2) === '>' ? words.splice(-2)[1] : undefined;
    const { status, out, err } = await runOn(day, words.slice(3), root);
    if (target === undefined) return withStatus(status, `${err}${out}`);
    writeFileSync(join(root, target), out);
    return withStatus(status, err);
  }
  throw new Error(`the page shows a command that no test runs: ${command}`);
}

async function follow(
  page: string,
  fence: Fence,
  { workspace, day }: { readonly workspace: GitRepository; readonly day: string },
): Promise<string | undefined> {
  if (['yaml', 'json', 'csv'].includes(fence.language) && fence.title) {
    const file = join(workspace.root, fence.title);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, fence.text);
    return undefined;
  }
  if (fence.language !== 'console') return undefined;
  let text = '';
  for (const { command, output } of commandsOf(fence)) {
    const shown = elsewhere.test(command) ? output : await printed(command, workspace, day);
    text += `$ ${command}\n${shown}`;
    if (!update) expect(shown, `${page}:${fence.line} $ ${command}`).toBe(output);
  }
  return text;
}

describe('commands in the docs print what the pages show', () => {
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const slowPages = new Set(['docs/bots.md']);
  const isSlow = (page: string): boolean => slowPages.has(page);
  test.each(pages.filter((page) => !isSlow(page)))('%s', readAndRun);
  test.each(pages.filter(isSlow))('%s', { tags: 'slow' }, readAndRun);

  async function readAndRun(page: string): Promise<void> {
    const example = workspace();
    const lines = readFileSync(join(repository, page), 'utf8').split('\n');
    const shown: { readonly fence: Fence; readonly now: string }[] = [];
    let day = firstDay;
    for (const fence of fencesOf(lines.join('\n'))) {
      if (fence.language === 'console' && fence.title) day = fence.title;
      const now = await follow(page, fence, { workspace: example, day });
      if (now !== undefined) shown.push({ fence, now });
    }
    if (!update) return;
    for (const { fence, now } of shown.reverse()) {
      const old = fence.text.split('\n').length - 1;
      lines.splice(fence.line, old, ...now.replace(/\n$/, '').split('\n'));
    }
    writeFileSync(join(repository, page), lines.join('\n'));
  }

  test('no command names a day, because a day ahead of the clock is refused', () => {
    const dated = pages.flatMap((page) =>
      fencesOf(readFileSync(join(repository, page), 'utf8'))
        .flatMap((fence) => (fence.language === 'console' ? commandsOf(fence) : []))
        .filter(({ command }) => command.includes('--today'))
        .map(({ command }) => `${page}: ${command}`),
    );
    expect(dated).toEqual([]);
  });

  test('the README leads to every page', () => {
    const text = readFileSync(join(repository, 'README.md'), 'utf8');
    const others = pages.filter((page) => page !== 'README.md');
    expect(others.filter((page) => !text.includes(`](${page})`))).toEqual([]);
  });

  test('the sidebar of the site leads to every page', () => {
    const config = readFileSync(join(repository, 'docs/site/.vitepress/config.mjs'), 'utf8');
    const named = [...config.matchAll(/ page\('[^']+', '([^']+)'\)/g)].map(
      ([, name]) => `docs/${name}.md`,
    );
    expect(named.sort()).toEqual(pages.filter((page) => page !== 'README.md'));
  });

  test('the hand-written pages have at most 33,300 words', () => {
    const words = pages.flatMap((page) => handWritten(page).split(/\s+/));
    expect(words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(33_300);
  });

  test('every link from page to page leads somewhere', () => {
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(repository, page), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(
        (match) => match[1]!,
      );
      const here = dirname(join(repository, page));
      return links
        .filter((link) => !existsSync(join(here, link)))
        .map((link) => `${page}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  test('every link to a heading leads to one', () => {
    const headings = new Map(pages.map((page) => [page, anchorsOf(page)]));
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(repository, page), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
      return links
        .map(([, file = '', anchor = '']) => [file ? join(dirname(page), file) : page, anchor])
        .filter(([file = '', anchor = '']) => headings.get(file)?.has(anchor) === false)
        .map(([file, anchor]) => `${page}: ${file}#${anchor}`);
    });
    expect(broken).toEqual([]);
  });
});

/** The text of a page without its generated parts, which npm run docs and npm run bench write. */
function handWritten(page: string): string {
  if (/^docs\/(commands|problems|tested-with)\.md$/.test(page)) return '';
  const whole = readFileSync(join(repository, page), 'utf8');
  const text = whole.replace(/<!-- tables -->.*<!-- end of tables -->/s, '');
  return /^docs\/(plan|doctor)\.md$/.test(page) ? text.slice(0, text.indexOf('\n### ')) : text;
}

/** The names by which a forge links to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  let isCode = false;
  const anchors = new Set<string>();
  for (const line of readFileSync(join(repository, page), 'utf8').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (isCode || heading === undefined) continue;
    const text = heading.replace(/\]\([^)]*\)/g, '').toLowerCase();
    anchors.add(text.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'));
  }
  return anchors;
}

test('each chapter of docs/tested-with.md has the commit that was tested', () => {
  const [, ...chapters] = readFileSync(join(repository, 'docs/tested-with.md'), 'utf8').split(
    /^## /m,
  );
  const without = chapters.filter(
    (text) => !/^.+\n\nCommit [0-9a-f]{12} of \d{4}-\d\d-\d\d\.$/m.test(text),
  );
  expect(without.map((text) => text.split('\n', 1)[0])).toEqual([]);
});
