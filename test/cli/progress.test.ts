import { describe, expect, test } from 'vitest';
import { run } from '../../src/core/cli/run.ts';
import type { Day } from '../../src/core/model/day.ts';
import { features } from '../../src/features.ts';
import { example, exampleLeases } from '../support/trees/example.ts';
import { putFile } from '../support/trees/temp-tree.ts';

const metallb =
  'apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: { name: more, namespace: metallb-system }\nspec: { addresses: [192.0.2.0/28] }\n';
const erase = '\r\u001b[2K';

/** What a command prints, and what a terminal shows of it, where each look at the clock takes some time. */
async function printed(
  line: string,
  { cwd = exampleLeases(), columns = undefined as number | undefined, env = {}, tick = 200 } = {},
) {
  let out = '';
  let err = '';
  let screen = '';
  let now = 0;
  const status = await run(line.split(' '), features, {
    out: (text) => {
      out += text;
      screen += text;
    },
    err: (text) => {
      err += text;
      screen += text;
    },
    color: false,
    terminal: false,
    today: () => '2026-11-20' as Day,
    env,
    cwd,
    elapsed: () => {
      now += tick;
      return now;
    },
    ...(columns === undefined ? {} : { errColumns: columns }),
  });
  return { status, out, err, screen };
}

/** The lines that were shown one after another, without the erasing. */
const drawn = (screen: string) => screen.split(erase).filter((text) => text !== '');

describe('progress', () => {
  test('of synth has all phases at a terminal, and the summary follows on a clean line', async () => {
    const { status, out, screen } = await printed('synth', { columns: 80 });
    expect(status).toBe(0);
    const lines = drawn(screen);
    const shownPhases = new Set(lines.flatMap((text) => /^\[\d\/4\] (\w+)/.exec(text)?.[1] ?? []));
    expect([...shownPhases]).toEqual(['read', 'allocate', 'render', 'write']);
    expect(lines.at(-1)).toMatch(/^\+ /);
    expect(lines.at(-1)).toBe(out);
  });

  test.each([
    'release 144.217.30.196',
    'move 144.217.30.196',
    'pin 144.217.30.196',
    'import metallb metallb.yaml',
  ])('of %s has all phases too', async (line) => {
    const cwd = example();
    putFile(cwd, 'metallb.yaml', metallb);
    const { status, err, out } = await printed(line, { cwd, columns: 80 });
    expect([status, out]).toEqual([0, expect.not.stringContaining('problem')]);
    const shown = drawn(err).flatMap((text) => /^\[\d\/4\] (\w+)/.exec(text)?.[1] ?? []);
    expect([...new Set(shown)]).toEqual(['read', 'allocate', 'render', 'write']);
  });

  test('counts no more steps than a phase has, and all of those that it writes', async () => {
    const { err } = await printed('synth', { columns: 80 });
    const counts = drawn(err).flatMap((text) => {
      const [, phase, done, total] = /\] (\w+) (\d+) of (\d+)/.exec(text) ?? [];
      return phase ? [{ phase, done: Number(done), total: Number(total) }] : [];
    });
    expect(counts.length).toBeGreaterThan(10);
    for (const { done, total } of counts) expect(done).toBeLessThanOrEqual(total);
    const written = counts.filter(({ phase }) => phase === 'write').at(-1);
    expect(written?.done).toBe(written?.total);
  });

  test('is erased before problems', async () => {
    const { status, screen } = await printed('check', { columns: 80 });
    expect(status).toBe(1);
    expect(drawn(screen).at(-1)).toMatch(/^\S+:\d+:\d+ STALE/);
  });

  test('is not shown when standard error is not a TTY', async () => {
    expect(await printed('synth')).toMatchObject({ err: '', out: expect.stringMatching(/^\+ /) });
  });

  test.each(['--quiet', '-q'])(
    'is not shown with %s, and neither is the summary',
    async (option) => {
      const { status, out, err } = await printed(`synth ${option}`, { columns: 80 });
      expect([status, out, err]).toEqual([0, '', '']);
    },
  );

  test('--quiet hides no problem', async () => {
    const { status, out } = await printed('check -q');
    expect([status, out]).toEqual([1, expect.stringContaining('STALE')]);
  });

  test('--progress none leaves the summary', async () => {
    const { out, err } = await printed('synth --progress none', { columns: 80 });
    expect([out, err]).toEqual([expect.stringMatching(/^\+ /), '']);
  });

  test('--progress plain has a line for each phase', async () => {
    const { err } = await printed('synth --progress plain');
    const lines = err.split('\n').filter((line) => /^\w+:.* \d+\.\d s$/.test(line));
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual([
      'read',
      'allocate',
      'render',
      'write',
    ]);
  });

  test('in CI has lines for a long run only, also at a terminal', async () => {
    const env = { CI: 'true' };
    expect((await printed('synth', { env, columns: 80, tick: 1 })).err).not.toContain('read:');
    const { err } = await printed('synth', { env, columns: 80, tick: 3000 });
    expect(err).toMatch(/^read: \d+, \d+\.\d s\nallocate: /m);
    expect(err).not.toContain(erase);
  });
});
