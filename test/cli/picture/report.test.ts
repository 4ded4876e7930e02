import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../../../docs/generators/json-schemas.ts';
import { run } from '../../../src/core/cli/run.ts';
import type { Day } from '../../../src/core/model/day.ts';
import type { Picture } from '../../../src/features/page/picture-answer.ts';
import { features } from '../../../src/features.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

/** The shipped example as a repository with one commit. */
function repository() {
  const git = gitRepository(example());
  git.git('add', '-A');
  git.git('commit', '-qm', 'Begin');
  return git;
}

describe('report', () => {
  test('gives the same bytes twice, in a file as on standard output', async () => {
    const { root } = repository();
    const first = await runInProcess(['report'], root);
    expect([first.status, first.err]).toEqual([0, '']);
    expect(await runInProcess(['report', '--out', 'page.html'], root)).toMatchObject({
      status: 0,
      out: '',
    });
    expect(readFileSync(join(root, 'page.html'), 'utf8')).toBe(first.out);
  });

  test('a page is not printed to a terminal, and JSON is', async () => {
    const { root } = repository();
    const printed = async (...argv: readonly string[]) => {
      let text = '';
      const print = (more: string) => {
        text += more;
      };
      const context = { out: print, err: print, color: false, terminal: true, env: {}, cwd: root };
      const status = await run(['report', ...argv], features, {
        ...context,
        today: () => '2026-11-20' as Day,
      });
      return [status, text];
    };
    expect(await printed()).toEqual([
      64,
      'leasehold: report prints a page for a browser: name a file, such as --out page.html\n',
    ]);
    expect(await printed('--no-history', '-o', 'json')).toEqual([0, expect.stringMatching(/^\{/)]);
  });

  test('its picture fits its schema, with and without the past', { tags: 'slow' }, async () => {
    const { root } = repository();
    const validate = new Ajv2020().compile(
      JSON.parse(jsonSchemas().get('picture.schema.json') ?? ''),
    );
    for (const more of [[], ['--no-history']]) {
      const { out } = await runInProcess(['report', '-o', 'json', ...more], root);
      const picture = JSON.parse(out);
      expect([validate(picture), validate.errors]).toEqual([true, null]);
      expect('past' in picture).toBe(more.length === 0);
      expect(picture.records.map(({ address }: { address: string }) => address)).toContain(
        '2001:db8:30::e0',
      );
    }
  });

  test('its picture has the hostnames and their history, and fits its schema', async () => {
    const {
      run: answered,
      put,
      synth,
    } = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/name.yaml': hostnameText('shop.example.com'),
      'leases/blog/name.yaml': hostnameText('*.blog.example.com', { namespace: 'blog' }),
    });
    put('leases/blog/name.yaml', '');
    await synth('2026-01-05');
    const { out } = await answered('report', '-o', 'json', '--today', '2026-01-06');
    const picture: Picture = JSON.parse(out);
    const schema = JSON.parse(jsonSchemas().get('picture.schema.json') ?? '');
    expect(new Ajv2020().compile(schema)(picture)).toBe(true);
    expect(picture.hostnames).toMatchObject([
      { hostname: '*.blog.example.com', state: 'released', freeFrom: '2026-01-12' },
      { hostname: 'shop.example.com', state: 'held', service: 'web', port: 80 },
    ]);
    const events = picture.past?.hostnames.map(({ hostname, periods }) => [
      hostname,
      periods.map(({ event }) => event).join(),
    ]);
    expect(events).toEqual([
      ['*.blog.example.com', 'given,released'],
      ['shop.example.com', 'given'],
    ]);
  });

  test('works outside of git too, and reports what the page lacks', async () => {
    const { status, out, err } = await runInProcess(['report'], example());
    expect(status).toBe(0);
    expect(out).toContain('<noscript>');
    expect(err).toMatch(/^the page has no history: /);
  });

  test('remarks that declarations with problems may lack claims', async () => {
    const { root } = repository();
    putFile(root, 'leases/dune/broken.yaml', 'kind: Lease\n');
    const { status, err } = await runInProcess(['report', '--out', 'page.html'], root);
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(
        /^declarations have .+, so claims may be missing here; `leasehold check` names them\n$/,
      ),
    ]);
  });

  test('has both states with a base', async () => {
    const { root, git } = repository();
    git('rm', '-q', '-r', 'leases/allocations', 'dist');
    git('commit', '-qm', 'Give all back');
    const { status, out } = await runInProcess(
      ['report', '--base', 'HEAD~1', '--head', 'HEAD'],
      root,
    );
    expect(status).toBe(0);
    expect(out).toContain('id="before"');
  });

  test('of a change that fixes a broken tree has no base, and reports why', async () => {
    const { root, git } = repository();
    const pools = readFileSync(join(root, 'leases/pools.yaml'), 'utf8');
    putFile(root, 'leases/pools.yaml', 'pools: 7\n');
    git('commit', '-qam', 'Break it');
    putFile(root, 'leases/pools.yaml', pools);
    git('commit', '-qam', 'Mend it');
    const { status, out, err } = await runInProcess(
      ['report', '--base', 'HEAD~1', '--head', 'HEAD'],
      root,
    );
    expect(status).toBe(0);
    expect(out).not.toContain('id="before"');
    expect(err).toMatch(
      /^the page has no earlier state: [0-9a-f]{12} cannot be read \(leases\/pools\.yaml:1 [A-Z_]+ .*\), and \d more\n$/,
    );
  });

  test('its picture is the same in YAML', async () => {
    const { root } = repository();
    const printed = (format: string) =>
      runInProcess(['report', '--no-history', '-o', format], root);
    const { out } = await printed('yaml');
    expect(parse(out)).toEqual(JSON.parse((await printed('json')).out));
  });

  test.each(['json', 'yaml'])('prints no %s of two states', async (format) => {
    const { root } = repository();
    const { status, out } = await runInProcess(['report', '--base', 'HEAD', '-o', format], root);
    expect(status).toBe(64);
    expect(parse(out)).toMatchObject({
      ...{ kind: 'Failure', status: 64 },
      reason: `-o ${format} shows one state: print each with --head`,
    });
  });

  test('reports the problem of an invalid pool file', async () => {
    const { root } = repository();
    putFile(root, 'leases/pools.yaml', 'pools: 7\n');
    const { status, out, err } = await runInProcess(['report'], root);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('leases/pools.yaml');
  });
});
