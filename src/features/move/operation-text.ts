import { freeSentence } from '../../core/model/allocation.ts';
import type { Problem } from '../../core/model/problem.ts';
import { sanitize, shellWord } from '../../core/text/print/escape.ts';
import { checkingCommand, sparingCommand } from '../../lib/kubernetes/metallb-webhooks.ts';
import type {
  CutClaim,
  LayoutMigration,
  MoveAnswer,
  PinAnswer,
  ReleaseAnswer,
} from './operation-answer.ts';

/** The moved addresses, each with its claims and the first free day of the old address. */
export function moveText({ moved, hostnames, edited }: MoveAnswer): string {
  return lines([
    ...hostnames.map(({ hostname, from, to }) => `${hostname}  ${from} -> ${to}`),
    ...moved.flatMap(({ holder, from, to, freeFrom, withheld, claims }) => [
      `${from} -> ${to}  ${holder}`,
      ...claims.map((claim) => `  cut: ${claimText(claim)}`),
      `  ${freeSentence(from, freeFrom, withheld)}`,
    ]),
    ...edited.map((file) =>
      hostnames.length > 0 ? `edited ${file}` : `edited ${file}: its pin is the new address`,
    ),
  ]);
}

/** The requests that the policy requires of the pull request with these moves. */
export function movesAskedText(unasked: readonly Problem[]): string {
  return lines(
    unasked.map(({ hint }) => `leases/policy.yaml requires a request for this move: ${hint}`),
  );
}

/** The claims that a release cuts, its addresses, its files, and what it leaves. */
export function releaseText(answer: ReleaseAnswer): string {
  const { claims, released, edited, removed, stillRouted, skipped } = answer;
  const stays = skipped.map(
    ({ declarer, file }) => `skipped ${declarer} (${file}): deny-external-cleanup is true`,
  );
  if (edited.length + removed.length === 0) return lines([...stays, 'nothing to release']);
  return lines([
    ...claims.map((claim) => `cut: ${claimText(claim)}`),
    ...released.map(releasedText),
    ...(released.length === 0 ? ['no address is released: other claims use it'] : []),
    ...edited.map((file) => `edited ${file}`),
    ...removed.map((file) => `removed ${file}`),
    ...stillRouted.map(
      ({ hostname, routedTo }) =>
        `${hostname} is still routed to ${routedTo}; to end it: \`leasehold release ${shellWord(hostname)}\``,
    ),
    ...stays,
  ]);
}

/** The places of the pins of each address. */
export function pinText({ pinned, edited }: PinAnswer): string {
  return lines([
    ...pinned.map(({ address, holder, places }) =>
      places.length > 0
        ? `${address} of ${holder} is pinned in ${places.join(', ')}`
        : `${address} of ${holder} is not pinned: its declarations have no free field for it`,
    ),
    edited.length === 0 ? 'nothing to write' : `edited ${edited.join(', ')}`,
  ]);
}

function claimText({ declarer, service, externalPort, protocol, file }: CutClaim): string {
  return `${service} ${externalPort}/${protocol} of ${declarer} (${file})`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${sanitize(text)}\n`).join('');
}

/** The step, and what to do before and after it is merged. */
export function layoutMigrationText({ cluster, from, to, target }: LayoutMigration): string {
  if (from === to) return `cluster ${cluster} has layout: ${to}; nothing to do\n`;
  const done = `cluster ${cluster} changes from layout: ${from} to layout: ${to}`;
  const applied = `leasehold verify --timeout 10m --cluster ${cluster}`;
  return lines(
    to === 'both'
      ? [
          `${done}. MetalLB will reject the pools of both, and keep`,
          'using what it has: live addresses stay, and new or changed ones wait for the last step.',
          'Until that is applied, no speaker may restart, and no node reboot: a speaker that starts',
          'announces nothing. Do both steps within minutes.',
          '',
          "1. Before the merge, make MetalLB's webhooks leave out the objects of leasehold:",
          '',
          sparingCommand(),
          '',
          `2. After the merge, wait until all is applied: ${applied}`,
          `3. Then, with no new lease in between: \`leasehold migrate-layout ${target} --cluster ${cluster}\``,
        ]
      : [
          `${done}, the last step.`,
          '',
          `1. Merge it only after this ended with 0 for the step before: ${applied}`,
          `2. After the merge, wait until all is applied: ${applied}`,
          "3. Make MetalLB's webhooks check all objects again:",
          '',
          checkingCommand(),
        ],
  );
}

function releasedText(one: ReleaseAnswer['released'][number]): string {
  return 'address' in one
    ? freeSentence(`${one.address} of ${one.holder}`, one.freeFrom, one.withheld)
    : freeSentence(`${one.hostname} of ${one.holder}`, one.freeFrom);
}
