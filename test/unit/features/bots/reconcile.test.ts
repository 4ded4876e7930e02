// @module-tag slow

import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Day } from '../../../../src/core/model/day.ts';
import { openRepository } from '../../../../src/core/world/git/git-repository.ts';
import { type ReconcileEvent, reconcile } from '../../../../src/features/bots/reconcile.ts';
import { remoteBranch } from '../../../../src/lib/branch/world/git-remote-branch.ts';
import { leaseText } from '../../../support/declarations/lease-text.ts';
import {
  type BotRemote,
  botEnvironment,
  botRemote,
} from '../../../support/repositories/bot-remote.ts';
import { checkHere } from '../../../support/run/direct-commands.ts';
import { putFile, tempTree } from '../../../support/trees/temp-tree.ts';

const web = { name: 'shop', service: 'web', port: 8080, externalPort: 80 };

/** What happens in the pause after a round; the loop ends after the last one. */
type Script = readonly ((remote: BotRemote) => void)[];

/** The events of a loop, with `|` where a pause was. */
async function told(remote: BotRemote, script: Script): Promise<readonly string[]> {
  const { root } = remote.clone('bot');
  const found: string[] = [];
  let rests = 0;
  let time = 0;
  const desk = {
    branch: remoteBranch({ root, remote: 'origin', environment: botEnvironment }, 'main'),
    commits: openRepository(root).commits,
    chance: () => 0,
    reportWait: (line: string) => void found.push(line),
    today: () => `2026-01-${11 + rests}` as Day,
    waiting: {
      now: () => time,
      pause: async (milliseconds: number) => {
        time += milliseconds;
        found.push('|');
        script[rests]?.(remote);
        rests += 1;
      },
    },
  };
  const report = (event: ReconcileEvent): void => {
    found.push(textOf(event));
  };
  await reconcile(desk, { interval: 1, isStopped: () => rests >= script.length, report });
  return found;
}

function textOf(event: ReconcileEvent): string {
  switch (event.kind) {
    case 'pushed':
      return `pushed ${event.changes.map(({ kind }) => kind).join(' ')}`;
    case 'broken':
      return event.problems.map(({ code, at }) => `${code} ${at.file}:${at.line}`).join(' ');
    case 'failed':
      return `failed ${event.reason.split(':', 1)[0]}`;
    default:
      return event.kind;
  }
}

const nothing = (): void => {};
const lease = (name: string): Readonly<Record<string, string>> => ({
  [`leases/${name}.yaml`]: leaseText(name, 1, [web]),
});

it('pushes stale files, and reports nothing for a branch that does not move', async () => {
  const remote = await botRemote(tempTree());
  const script = [
    nothing,
    nothing,
    () => remote.commitFiles(lease('ann')),
    nothing,
    () => remote.commitFiles({ 'README.md': 'x\n' }),
    nothing,
  ];
  expect(await told(remote, script)).toEqual([
    'current',
    '|',
    '|',
    '|',
    'pushed allocated',
    '|',
    '|',
    'current',
    '|',
  ]);
  expect(await checkOf(remote)).toEqual([]);
});

it('tells a broken declaration once for each commit, and pushes nothing until it is mended', async () => {
  const remote = await botRemote(tempTree());
  let head = '';
  const isUntouched = (): void => expect(remote.head()).toBe(head);
  const script: Script = [
    () => {
      head = remote.commitFiles({ 'leases/bad.yaml': 'kind: Lease\n', ...lease('ann') });
    },
    isUntouched,
    isUntouched,
    () => {
      isUntouched();
      head = remote.commitFiles({ 'README.md': 'x\n' });
    },
    () => {
      isUntouched();
      rmSync(join(remote.person.root, 'leases/bad.yaml'));
      remote.commitFiles({});
    },
    nothing,
  ];
  const broken = 'FIELD_MISSING leases/bad.yaml:1 FIELD_MISSING leases/bad.yaml:1';
  expect(await told(remote, script)).toEqual([
    'current',
    '|',
    broken,
    '|',
    '|',
    '|',
    broken,
    '|',
    'pushed allocated',
    '|',
  ]);
  expect(await checkOf(remote)).toEqual([]);
});

it('outlives a remote that disappears, and one that refuses', async () => {
  const remote = await botRemote(tempTree());
  const hook = join(remote.folder, 'hooks/pre-receive');
  const script: Script = [
    () => renameSync(remote.folder, `${remote.folder}.away`),
    nothing,
    () => {
      renameSync(`${remote.folder}.away`, remote.folder);
      remote.commitFiles(lease('ann'));
      putFile(remote.folder, 'hooks/pre-receive', '#!/bin/sh\nexit 1\n');
      chmodSync(hook, 0o755);
    },
    () => rmSync(hook),
    nothing,
  ];
  expect(await told(remote, script)).toEqual([
    ...['current', '|', "failed the remote 'origin' cannot be reached", '|', '|'],
    ...['failed main of origin refuses the commit', '|', 'pushed allocated', 'recovered', '|'],
  ]);
  expect(await checkOf(remote)).toEqual([]);
});

it('goes on from a branch that is rewritten', async () => {
  const remote = await botRemote(tempTree());
  const { person } = remote;
  const script: Script = [
    () => {
      remote.commitFiles(lease('ann'));
    },
    () => {
      person.git('commit', '-q', '--amend', '-m', 'Otherwise');
      person.git('push', '-q', '--force', 'origin', 'main');
    },
    nothing,
  ];
  expect(await told(remote, script)).toEqual([
    ...['current', '|', 'pushed allocated', '|', 'rewritten', 'pushed allocated', '|'],
  ]);
  expect(remote.git('log', '--format=%s', 'main')).toMatch(/^Synthesize .*\nOtherwise\nPools\n$/);
  expect(await checkOf(remote)).toEqual([]);
});

it('says that the branch is gone, and waits for it', async () => {
  const remote = await botRemote(tempTree());
  const { person } = remote;
  const script: Script = [
    () => remote.git('update-ref', '-d', 'refs/heads/main'),
    () => person.git('push', '-q', 'origin', 'main'),
    nothing,
  ];
  expect(await told(remote, script)).toEqual([
    'current',
    '|',
    'failed branch main of origin does not exist',
    '|',
    'recovered',
    '|',
  ]);
});

async function checkOf({ person }: BotRemote) {
  person.git('pull', '-q', '--ff-only', 'origin', 'main');
  return checkHere(person.root);
}
