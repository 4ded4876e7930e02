import { describe, expect, it } from 'vitest';
import type { Plan, PlanProblem } from '../../../../src/core/run/plan/plan-answer.ts';
import { sanitize } from '../../../../src/core/text/print/escape.ts';
import { planGithub } from '../../../../src/features/formats/plan-findings.ts';
import { hostileTexts, planOfTexts } from '../../../support/plans/hostile-plan.ts';
import { aPlace, aPlan } from '../../../support/plans/plan-builders.ts';

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** A line as the runner reads it (actions/runner, ActionCommand.TryParseV2); undefined for plain output. */
function commandOf(line: string): Command | undefined {
  const start = line.trimStart();
  const end = start.indexOf('::', 2);
  if (!start.startsWith('::') || end < 0) return undefined;
  const [name = '', ...rest] = start.slice(2, end).split(' ');
  const pairs = rest
    .join(' ')
    .split(',')
    .filter((pair) => pair.includes('='));
  const decoded = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const properties = pairs.map((pair) => {
    const [key = '', ...value] = pair.split('=');
    return [key, decoded(value.join('='))] as const;
  });
  return {
    name,
    properties: Object.fromEntries(properties),
    message: decoded(start.slice(end + 2)),
  };
}

function commandsOf(plan: Plan): readonly (Command | undefined)[] {
  return planGithub(plan)
    .replace(/\n$/, '')
    .split(/\r\n|\r|\n/)
    .map(commandOf);
}

function aProblem(changes: Partial<PlanProblem> = {}): PlanProblem {
  return {
    code: 'FIELD_VALUE',
    message: 'wrong',
    of: 'tree',
    file: 'leases/a.yaml',
    line: 3,
    column: 5,
    also: [],
    ...changes,
  };
}

describe('a plan as workflow commands', () => {
  it('has the sentence, problems as errors and cautions as warnings', () => {
    const plan = aPlan({
      verdict: 'blocked',
      summary: 'This must not be merged: 100 %.',
      problems: [aProblem({ hint: 'do: this, that' })],
      cautions: [{ code: 'POOL_FILLING', message: 'full', at: aPlace }],
    });

    expect(planGithub(plan)).toBe(
      [
        '::notice title=leasehold plan%3A Blocked::This must not be merged: 100 %25.',
        '::error file=leases/a.yaml,line=3,col=5,title=FIELD_VALUE::wrong; do: this, that',
        '::warning file=leases/alice/12345.yaml,line=7,col=1,title=POOL_FILLING::full',
        '',
      ].join('\n'),
    );
  });

  it.each(hostileTexts.map((text) => [text]))('runs no command of a text: %j', (text) => {
    const [opening, ...found] = commandsOf(planOfTexts([text]));

    expect(opening).toEqual({
      name: 'notice',
      properties: { title: 'leasehold plan: Caution' },
      message: sanitize(text),
    });
    expect(found).toEqual([
      {
        name: 'error',
        properties: { file: sanitize(text), line: '5', col: '6', title: 'FILE_UNEXPECTED' },
        message: `${sanitize(text)}; ${sanitize(text)}`,
      },
      {
        name: 'warning',
        properties: { file: sanitize(text), line: '4', col: '1', title: 'LEASE_CUT' },
        message: sanitize(text),
      },
    ]);
  });

  it('shows ten of a kind, as GitHub does, and counts the others', () => {
    const problems = Array.from({ length: 13 }, (_, index) => aProblem({ line: index + 1 }));
    const cautions = Array.from({ length: 11 }, () => ({
      code: 'LEASE_CUT' as const,
      message: 'cut',
    }));
    const found = commandsOf(aPlan({ problems, cautions }));

    expect(found.map((command) => command?.name)).toEqual([
      'notice',
      ...Array.from({ length: 10 }, () => 'error'),
      ...Array.from({ length: 10 }, () => 'warning'),
      'notice',
    ]);
    expect(found.at(-1)?.message).toBe(
      '3 more problems and 1 more cautions are not shown; run `leasehold plan` to see all',
    );
  });
});
