import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sanitizedJson } from '../../../src/core/text/print/escape.ts';
import { comment, head, jobOf, plan, planFolder } from '../../support/forge/comment-run.ts';
import { fakeForge } from '../../support/forge/fake-forge.ts';
import { planOfTexts } from '../../support/plans/hostile-plan.ts';
import { aManifest } from '../../support/plans/plan-builders.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const marker = '<!-- leasehold:plan:default:1 -->\n';

describe.each(['github', 'gitlab', 'forgejo', 'gitea'] as const)(
  'leasehold comment on %s',
  (kind) => {
    test('writes the plan once, and leaves it alone the next time', async () => {
      const fake = await fakeForge(kind);
      const first = await comment([], jobOf(kind, fake.api));
      expect(first).toMatchObject({ status: 0, out: '' });
      expect(first.err).toMatch(/^1 comment created on \w+ request 7 of acme\/leases\n$/);
      expect(fake.comments).toHaveLength(1);
      expect(fake.comments[0]?.body.startsWith(marker)).toBe(true);
      expect(fake.comments[0]?.body).toContain('203.0.113.7');
      const second = await comment([], jobOf(kind, fake.api));
      expect(second.err).toMatch(/^1 comment untouched on /);
      expect(fake.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
    });

    test('splits a plan that is too long for one comment, and removes old parts', async () => {
      const fake = await fakeForge(kind);
      const argv = ['--max-chars', '12000'];
      await comment([...argv, '--split'], jobOf(kind, fake.api));
      expect(fake.comments.length).toBeGreaterThan(3);
      for (const [index, { body }] of fake.comments.entries()) {
        expect(body.startsWith(`<!-- leasehold:plan:default:${index + 1} -->\n`)).toBe(true);
        expect(body.length).toBeLessThanOrEqual(12_000);
      }
      const { err } = await comment(argv, jobOf(kind, fake.api));
      expect(err).toMatch(/^1 comment updated, \d+ comments removed on /);
      expect(fake.comments).toHaveLength(1);
    });

    test('has a comment for each key', async () => {
      const fake = await fakeForge(kind);
      await comment(['--key', 'production'], jobOf(kind, fake.api));
      await comment(['--key', 'staging'], jobOf(kind, fake.api));
      expect(fake.comments).toHaveLength(2);
    });

    test('refuses a plan of another commit than the event is about', async () => {
      const fake = await fakeForge(kind);
      const { status, err } = await comment(['--head', 'c'.repeat(40)], jobOf(kind, fake.api));
      expect(status).toBe(74);
      expect(err).toBe(
        `leasehold: nothing posted: the plan is of ${head}, and not of ${'c'.repeat(40)}\n`,
      );
      expect(fake.requests).toEqual([]);
    });

    test('leaves a newer plan alone when the pull request has moved on', async () => {
      const fake = await fakeForge(kind);
      fake.head = 'e'.repeat(40);
      const { status, err } = await comment(['--head', head], jobOf(kind, fake.api));
      expect(status).toBe(0);
      expect(err).toMatch(/^nothing posted: \w+ request 7 of acme\/leases is at e{40} by now\n$/);
      expect(fake.comments).toEqual([]);
    });

    test('posts the plan of the newest commit', async () => {
      const fake = await fakeForge(kind);
      const { status } = await comment(['--head', head], jobOf(kind, fake.api));
      expect([status, fake.comments.length]).toEqual([0, 1]);
    });

    test('fails when it cannot post, and shows no token', async () => {
      const fake = await fakeForge(kind);
      const secret = { GITHUB_TOKEN: 'wrong-token-1234', GITLAB_TOKEN: 'wrong-token-1234' };
      const { status, out, err } = await comment([], { ...jobOf(kind, fake.api), ...secret });
      expect(status).toBe(74);
      expect(err).toMatch(/the token in GIT(HUB|LAB)_TOKEN is wrong or expired\n$/);
      expect(out + err).not.toContain('wrong-token-1234');
    });

    test('fails without a token, and sends no request', async () => {
      const fake = await fakeForge(kind);
      const env = { ...jobOf(kind, fake.api), GITHUB_TOKEN: '', GITLAB_TOKEN: '' };
      const { status, err } = await comment([], env);
      expect(status).toBe(74);
      expect(err).toMatch(/^leasehold: a token is needed to write comments: set [A-Z]+_TOKEN/);
      expect(fake.requests).toEqual([]);
    });

    test('shows in a dry run the comment and its target, without a token', async () => {
      const env = { ...jobOf(kind, 'http://127.0.0.1:9'), GITHUB_TOKEN: '', GITLAB_TOKEN: '' };
      const { status, out, err } = await comment(['--dry-run'], env);
      expect(status).toBe(0);
      expect(out.startsWith(marker)).toBe(true);
      expect(err).toMatch(
        /^would post 1 comment on \w+ request 7 of acme\/leases, over http:\/\/127\.0\.0\.1:9\n$/,
      );
    });

    test('answers programs with what it posted, and where', { tags: 'slow' }, async () => {
      const fake = await fakeForge(kind);
      const env = jobOf(kind, fake.api);
      const about = {
        ...{ apiVersion: 'leasehold.dev/v1', kind: 'Posting', day: plan.day, commit: head },
        ...{ forge: kind, api: fake.api, repository: 'acme/leases', pullRequest: 7 },
        ...{ created: 0, updated: 0, removed: 0, untouched: 0 },
      };
      const answer = (...argv: readonly string[]) =>
        answerOf(['comment', '--plan', 'plan.json', ...argv], planFolder(), {
          ...{ schema: 'posting', env },
        });
      expect(await answer('--dry-run')).toEqual({
        ...about,
        bodies: [expect.stringContaining(marker)],
      });
      expect(fake.comments).toEqual([]);
      expect(await answer()).toEqual({ ...about, created: 1 });
      expect(await answer()).toEqual({ ...about, untouched: 1 });
      fake.head = 'e'.repeat(40);
      const reason = expect.stringMatching(/^\w+ request 7 of acme\/leases is at e{40} by now$/);
      expect(await answer('--head', head)).toEqual({ ...about, reason });
    });

    test.each(['999', kind === 'github' ? '65537' : '1000001'])(
      'refuses a limit of %s',
      async (count) => {
        const { status, err } = await comment(
          ['--max-chars', count],
          jobOf(kind, 'https://x.example'),
        );
        expect(status).toBe(64);
        expect(err).toMatch(/--max-chars is between 1000 and \d+ here/);
      },
    );
  },
);

describe('the plan of a comment', () => {
  const argv = ['--repository', 'a/b', '--pull-request', '3', '--dry-run'];
  const of = (cwd: string, file: string) => runInProcess(['comment', '--plan', file, ...argv], cwd);

  test.each([
    ['no JSON', 'the plan is not JSON'],
    ['{}', 'the plan is invalid at'],
    [JSON.stringify({ ...plan, body: '# owned' }), 'the plan is invalid at'],
    [JSON.stringify({ ...plan, verdict: '<img src=x>' }), 'the plan is invalid at'],
    // GitLab looks for /commands behind the first ``` on a line of its own, whatever opened the block.
    [
      sanitizedJson({ ...plan, manifests: [aManifest({ diff: '+a\n```\n/close' })] }),
      'of a unified diff',
    ],
  ])('%.40s is refused, and nothing of it printed to the output', async (text, message) => {
    const { status, out, err } = await of(tempTree({ 'p.json': text }), 'p.json');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toContain(message);
  });

  test('no text of a plan begins a line that GitLab would take for a command', async () => {
    const texts = ['/close', 'a\n/merge', ' /approve', '```\n/label ~x'];
    const hostile = planOfTexts(texts, { manifests: [] });
    const { status, out } = await of(tempTree({ 'p.json': sanitizedJson(hostile) }), 'p.json');
    expect(status).toBe(0);
    expect(out).toContain('/merge');
    expect(out).not.toMatch(/^\s*\//m);
  });

  test('a missing file and a link are refused', async () => {
    const cwd = tempTree();
    expect(await of(cwd, 'p.json')).toMatchObject({
      status: 74,
      err: 'leasehold: there is no file p.json\n',
    });
    symlinkSync('/etc/hostname', join(cwd, 'link'));
    expect(await of(cwd, 'link')).toMatchObject({
      status: 74,
      err: 'leasehold: link is not a regular file, and links are not followed\n',
    });
  });

  test.each([
    ['a merge of it is', ['b'.repeat(40), 'c'.repeat(40)], 0],
    ['what follows it is not', ['c'.repeat(40)], 74],
    ['a merge of others is not', ['b'.repeat(40), 'd'.repeat(40)], 74],
  ])('a plan of the commit: %s', async (_, parents, status) => {
    const cwd = tempTree({ 'p.json': sanitizedJson({ ...plan, head: { ...plan.head, parents } }) });
    const wanted = ['--head', 'c'.repeat(40)];
    const done = await runInProcess(['comment', '--plan', 'p.json', ...argv, ...wanted], cwd);
    expect(done.status).toBe(status);
  });

  test('a plan of uncommitted files has no commit', async () => {
    const dirty = { ...plan, head: { ...plan.head, uncommitted: true as const } };
    const cwd = tempTree({ 'p.json': sanitizedJson(dirty) });
    const { status, err } = await runInProcess(
      ['comment', '--plan', 'p.json', ...argv, '--head', head],
      cwd,
    );
    expect(status).toBe(74);
    expect(err).toContain(`the plan is of the uncommitted changes on ${head}`);
  });
});
