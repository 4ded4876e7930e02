import { describe, expect, it } from 'vitest';
import { problemCodes } from '../../../../src/core/model/codes/problem-codes.ts';
import { cautionCodes } from '../../../../src/core/run/plan/caution-codes.ts';
import type { Plan } from '../../../../src/core/run/plan/plan-answer.ts';
import { planSarif } from '../../../../src/features/formats/plan-sarif.ts';
import { hostileTexts, planOfTexts } from '../../../support/plans/hostile-plan.ts';
import { aPlan } from '../../../support/plans/plan-builders.ts';
import { planCases } from '../../../support/plans/plan-cases.ts';

interface Place {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
    readonly region: { readonly startLine: number; readonly startColumn: number };
  };
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [Place];
  readonly relatedLocations?: readonly Place[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

interface Rule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly help: { readonly text: string };
}

function runOf(plan: Plan) {
  const { version, runs } = JSON.parse(planSarif(plan, '1.2.3'));
  expect([version, runs.length]).toEqual(['2.1.0', 1]);
  const [{ tool, results, ...rest }] = runs;
  return {
    driver: tool.driver as { readonly semanticVersion: string; readonly rules: readonly Rule[] },
    results: results as readonly Result[],
    rest,
  };
}

const plans = Object.entries(planCases);
const printsOf = (plan: Plan) =>
  runOf(plan).results.map(({ partialFingerprints }) => partialFingerprints['leasehold/v1']);

describe('a plan as SARIF', () => {
  it.each(plans)('%s has a result for each problem and caution, with its rule', (_, plan) => {
    const { driver, results } = runOf(plan);
    const known: Record<string, { title: string; fix: string }> = {
      ...problemCodes,
      ...cautionCodes,
    };

    expect(driver.semanticVersion).toBe('1.2.3');
    expect(results.map(({ level, ruleId }) => [level, ruleId])).toEqual([
      ...plan.problems.map(({ code }) => ['error', code]),
      ...plan.cautions.map(({ code }) => ['warning', code]),
    ]);
    for (const { ruleId, ruleIndex } of results) expect(driver.rules[ruleIndex]?.id).toBe(ruleId);
    for (const { id, shortDescription, help } of driver.rules) {
      expect({ title: shortDescription.text, fix: help.text }).toEqual(known[id]);
    }
  });

  it.each(plans)('%s has places that a viewer finds', (_, plan) => {
    for (const { locations, relatedLocations = [] } of runOf(plan).results) {
      for (const { physicalLocation } of [...locations, ...relatedLocations]) {
        const { artifactLocation, region } = physicalLocation;
        expect(artifactLocation.uri).toMatch(/^([A-Za-z0-9\-._~!*'()/]|%[0-9A-F]{2})*$/);
        expect(artifactLocation.uriBaseId).toBe('%SRCROOT%');
        expect(region.startLine).toBeGreaterThan(0);
        expect(region.startColumn).toBeGreaterThan(0);
      }
    }
  });

  it('escapes text in a message that looks like a link or a placeholder', () => {
    const [result] = runOf(planOfTexts(['[click](https://a.example) {0}'])).results;

    expect(result?.message.text).toContain('\\[click\\](https://a.example) {{0}}');
  });

  it('keeps fingerprints when lines move, and gives no two findings one', () => {
    const plan = planOfTexts([...hostileTexts, 'twice', 'twice']);
    const moved: Plan = {
      ...plan,
      problems: plan.problems.map((problem) => ({
        ...problem,
        line: problem.line + 40,
        column: 1,
      })),
      cautions: plan.cautions.map((caution) => ({
        ...caution,
        ...(caution.at && { at: { ...caution.at, line: 99 } }),
      })),
    };
    const same = plan.problems.slice(0, 1);

    expect(printsOf(moved)).toEqual(printsOf(plan));
    expect(new Set(printsOf(plan)).size).toBe(40);
    expect(new Set(printsOf(aPlan({ problems: [...same, ...same, ...same] }))).size).toBe(3);
    expect(printsOf(plan).every((print) => /^[0-9a-f]{64}$/.test(print ?? ''))).toBe(true);
  });

  it('has no more results than GitHub takes, and says so', { tags: 'slow' }, () => {
    const [problem] = planOfTexts(['a']).problems;
    const problems = Array.from({ length: 25_002 }, () => problem!);
    const { results, rest } = runOf(aPlan({ problems }));

    expect(results).toHaveLength(25_000);
    expect(rest.invocations[0].toolExecutionNotifications[0].message.text).toBe(
      '2 more findings are not in this file.',
    );
  });
});
