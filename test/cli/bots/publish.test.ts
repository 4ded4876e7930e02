// @module-tag slow

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { leaseText } from '../../support/declarations/lease-text.ts';
import {
  type BotRemote,
  botEnvironment,
  botRemote,
} from '../../support/repositories/bot-remote.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { type Finished, runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const web = { name: 'shop', service: 'web', port: 8080, externalPort: 80 };
const lease = { 'leases/alice.yaml': leaseText('alice', 1, [web]) };

interface Publisher {
  readonly remote: BotRemote;
  publish(...argv: readonly string[]): Promise<Finished>;
  /** Commits a lease with what synth makes of it, and gives the commit. */
  addLease(name: string): Promise<string>;
}

async function setUp(): Promise<Publisher> {
  const { remote } = await remade('a publisher', async () => {
    const root = tempTree();
    return { root, remote: await botRemote(root, lease) };
  });
  const { person } = remote;
  return {
    remote,
    publish: (...argv) => runInProcess(['publish', ...argv], person.root, botEnvironment),
    async addLease(name) {
      remote.commitFiles({ [`leases/${name}.yaml`]: leaseText(name, 2, [web]) });
      await runInProcess(['reconcile', '--once'], person.root, botEnvironment);
      person.git('pull', '-q', '--ff-only', 'origin', 'main');
      return remote.head();
    },
  };
}

const pattern = ['--branch', 'deploy/{cluster}'];

describe('leasehold publish', () => {
  it("puts a cluster's manifests at the top of a branch, and names the source", async () => {
    const { remote, publish } = await setUp();
    const source = remote.head();
    const { status, out, err } = await publish(...pattern);
    expect(status).toBe(0);
    expect(out).toBe(`deploy/default ${remote.head('deploy/default')}\n`);
    expect(err).toBe(`deploy/default of origin has the manifests of ${source.slice(0, 12)}\n`);
    expect(remote.git('ls-tree', '-r', '-z', 'deploy/default')).toBe(
      remote.git('ls-tree', '-r', '-z', 'main:dist/default'),
    );
    expect(remote.git('ls-tree', '--name-only', 'deploy/default')).toContain('leasehold.yaml\n');
    expect(remote.git('log', '--format=%s%n%(trailers)', 'deploy/default')).toBe(
      `Publish default of ${source.slice(0, 12)}
Leasehold-Source: ${source}
Argocd-reference-commit-sha: ${source}
Argocd-reference-commit-subject: Pools

`,
    );
  });

  it('pushes nothing when nothing changed, and one commit more when something did', async () => {
    const { remote, publish, addLease } = await setUp();
    await publish(...pattern);
    const first = remote.head('deploy/default');
    remote.commitFiles({ 'README.md': 'Hello\n' });
    const again = await publish(...pattern);
    expect([again.status, again.out]).toEqual([0, '']);
    expect(again.err).toContain('has these manifests already; nothing to push');
    expect(remote.head('deploy/default')).toBe(first);
    await addLease('bob');
    expect((await publish(...pattern)).status).toBe(0);
    expect(remote.git('rev-parse', 'deploy/default~1').trim()).toBe(first);
  });

  it('gives each cluster a branch of its own, and pushes only what changed', async () => {
    const { remote, publish, addLease } = await setUp();
    const pools = remote.git('show', 'main:leases/pools.yaml');
    const two = 'clusters: [{ name: default }, { name: west }]\ndefaultCluster: default';
    expect(pools).toContain('clusters: [{ name: default }]');
    const text = pools.replace('clusters: [{ name: default }]', two);
    remote.commitFiles({ 'leases/pools.yaml': text });
    await addLease('bob');
    const one = await publish('--branch', 'deploy');
    expect(one.status).toBe(64);
    expect(one.err).toContain('write {cluster} into --branch');
    const { status, out } = await publish(...pattern);
    expect(status).toBe(0);
    expect(out).toBe(
      ['default', 'west']
        .map((name) => `deploy/${name} ${remote.head(`deploy/${name}`)}\n`)
        .join(''),
    );
    expect(remote.git('ls-tree', '-r', '-z', 'deploy/west')).toBe(
      remote.git('ls-tree', '-r', '-z', 'main:dist/west'),
    );
    await addLease('carl');
    const next = await publish(...pattern);
    expect(next.out).toBe(`deploy/default ${remote.head('deploy/default')}\n`);
    expect(next.err).toContain(
      'deploy/west of origin has these manifests already; nothing to push\n',
    );
  });

  it('does not go back, also in a clone that lacks the published commit', async () => {
    const { remote, publish, addLease } = await setUp();
    const old = remote.head();
    const late = remote.clone('late');
    const source = await addLease('bob');
    await publish(...pattern);
    const published = remote.head('deploy/default');
    const reason = `deploy/default of origin is left alone: it already has ${source.slice(0, 12)}, which descends from ${old.slice(0, 12)}: to go back, revert in a new commit and publish that\n`;
    const here = await publish(...pattern, '--source', old);
    expect([here.status, here.out, here.err]).toEqual([1, '', reason]);
    const there = await runInProcess(['publish', ...pattern], late.root, botEnvironment);
    expect([there.status, there.out, there.err]).toEqual([1, '', reason]);
    expect(remote.head('deploy/default')).toBe(published);
  });

  it('goes on after its source branch was rewritten', async () => {
    const { remote, publish, addLease } = await setUp();
    const old = remote.head();
    await addLease('bob');
    await publish(...pattern);
    const published = remote.head('deploy/default');
    const { person } = remote;
    person.git('reset', '-q', '--hard', old);
    person.git('commit', '-q', '--amend', '-m', 'Otherwise');
    const { status } = await publish(...pattern);
    expect(status).toBe(0);
    expect(remote.git('rev-parse', 'deploy/default~1').trim()).toBe(published);
  });

  it('leaves a branch alone that something else was pushed to', async () => {
    const { remote, publish } = await setUp();
    const { status, err } = await publish('--branch', 'main', '--source', 'main');
    expect(status).toBe(1);
    expect(err).toContain('main of origin is left alone: its last commit');
    expect(err).toContain('was not made by `leasehold publish`');
    expect(remote.git('ls-tree', '--name-only', 'main')).toContain('leases\n');
  });

  it('publishes nothing of a commit with problems', async () => {
    const { remote, publish } = await setUp();
    remote.commitFiles({ 'leases/bob.yaml': leaseText('bob', 2, [web]) });
    const { status, err } = await publish(...pattern);
    expect(status).toBe(1);
    expect(err).toContain('STALE');
    expect(remote.git('branch', '--list', 'deploy/*')).toBe('');
  });

  it('answers programs with the branches, also with those that it leaves alone', async () => {
    const { remote, publish } = await setUp();
    const { root } = remote.person;
    const line = ['publish', ...pattern];
    const asked = { schema: 'publication', env: botEnvironment };
    const about = { kind: 'Publication', day: '2026-11-20', commit: remote.head() };
    const named = { cluster: 'default', branch: 'deploy/default' };
    const first = await answerOf(line, root, asked);
    const pushed = { ...named, result: 'pushed', commit: remote.head('deploy/default') };
    expect(first).toMatchObject({ ...about, remote: 'origin', branches: [pushed] });
    const unchanged = { ...named, result: 'unchanged' };
    expect(await answerOf(line, root, asked)).toMatchObject({ branches: [unchanged] });
    const { status, out } = await publish('--branch', 'main', '-o', 'yaml');
    expect(status).toBe(1);
    expect(parse(out)).toMatchObject({
      branches: [
        {
          ...{ cluster: 'default', branch: 'main', result: 'refused' },
          reason: expect.stringContaining('was not made by `leasehold publish`'),
        },
      ],
    });
  });

  it('reports invalid options', async () => {
    const { publish } = await setUp();
    expect(await publish()).toMatchObject({ status: 64 });
    expect(await publish('--branch', 'a b')).toMatchObject({ status: 64, out: '' });
    expect(await publish(...pattern, '--source', '--all')).toMatchObject({ status: 74 });
    expect((await publish(...pattern, '--remote', 'x')).err).toBe(
      "leasehold: the clone has no remote 'x': it has origin\n",
    );
  });
});
