import { expect } from 'vitest';
import { isSince } from '../../../../src/core/model/planes.ts';
import type { Diagnosis, Finding } from '../../../../src/features/cluster/diagnosis-answer.ts';
import type { Verification } from '../../../../src/features/cluster/verification-answer.ts';
import type { Finished } from '../../run/run-process.ts';
import { type Answer, passes } from './sabotage.ts';

/** The answer of a command with `-o json`; undefined when it failed without one. */
function answerOf<Answer>({ out }: Finished): Answer | undefined {
  const { kind, ...answer } = JSON.parse(out);
  return kind === 'Failure' ? undefined : { kind, ...answer };
}

/** What is told of one thing: its level or state, its code or name, and all that is said of it. */
export interface Told {
  readonly state: string;
  readonly of: string;
  readonly text: string;
  /** What it says to do, each with its command; of a state for which nothing is said, the state and what is found. */
  readonly remedies: readonly string[];
}

/** What doctor tells that it does not tell while all is well. */
export function foundBy(finished: Finished, well: readonly Finding[]): readonly Told[] {
  const known = new Set(well.map((finding) => JSON.stringify(finding)));
  const findings = answerOf<Diagnosis>(finished)?.findings ?? [];
  return findings
    .filter((finding) => !known.has(JSON.stringify(finding)))
    .map(({ level, code, found, means = '', fix = '', command = '' }) => ({
      state: level,
      of: code,
      text: plain([found, means, `fix: ${fix}`, `$ ${command}`].join('\n')),
      remedies: fix === '' ? [] : [command === '' ? fix : `${fix}: ${command}`],
    }));
}

/** A text without the kubeconfig that its commands name, which {@link Told.remedies} have. */
function plain(text: string): string {
  return text.replaceAll(/kubectl --kubeconfig \S+/g, 'kubectl');
}

/** What verify tells but for claims that are ok, or have no pods, as all Services here. */
export function toldBy(finished: Finished): readonly Told[] {
  const answer = answerOf<Verification>(finished);
  if (!answer) return [];
  const { claims, objects, findings, openPools } = answer;
  return [
    ...[...claims, ...objects]
      .filter(({ state }) => state !== 'ok' && state !== 'no endpoints')
      .map(({ state, object: of, details }) => ({
        state,
        of,
        text: plain(
          details
            .map((detail) => [`${detail.object} ${detail.message}`, hintOf(detail)].join('\n'))
            .join('\n'),
        ),
        remedies: [
          ...(details.length === 0 ? [`${state}: ${of}`] : []),
          ...details.map((detail) =>
            'hint' in detail
              ? (detail.hint ?? '')
              : `${detail.state}: ${detail.object} ${detail.message}`,
          ),
        ],
      })),
    ...findings.map(({ object: of, message, hint }) => ({
      state: 'cluster problem',
      of,
      text: plain(`${message}\n${hint}`),
      remedies: [hint],
    })),
    ...openPools
      .flatMap(({ services }) => services)
      .map(({ object: of, addresses, message }) => ({
        state: 'open fence',
        of,
        text: `${addresses.join()} ${message}`,
        remedies: [`open fence: ${of} ${message}`],
      })),
  ];
}

function hintOf(detail: object): string {
  return 'hint' in detail ? `fix: ${detail.hint}` : '';
}

/** What is told of it with a version of MetalLB. */
export function answerWith(version: string, answer: Answer | undefined): Answer {
  const { lines, ...rest } = answer ?? passes();
  const told = lines.filter(([, , , since]) => since === undefined || isSince(version, since));
  return told.length < lines.length && told.length === 0 ? passes() : { ...rest, lines: told };
}

/** That a command ended and told as it should; without an answer, that it found nothing wrong. */
export function expectAnswer(
  { status, err }: Finished,
  told: readonly Told[],
  { status: wanted, lines, err: complaint = /^$/ }: Answer,
): void {
  expect([status, ...told.map(({ state, of }) => `${state}: ${of}`)]).toEqual([
    wanted,
    ...lines.map(([state, of]) => `${state}: ${of}`),
  ]);
  lines.forEach(([, of, says], index) => {
    expect(told[index]?.text, of).toMatch(says);
  });
  expect(err).toMatch(complaint);
}
