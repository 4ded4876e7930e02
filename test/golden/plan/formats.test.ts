import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { paintOf } from '../../../src/core/text/print/problems-text.ts';
import { planGithub, planGitlab } from '../../../src/features/formats/plan-findings.ts';
import { planHtml } from '../../../src/features/formats/plan-html.ts';
import { sanitizedJson } from '../../../src/core/text/print/escape.ts';
import { planMarkdown } from '../../../src/lib/markdown/plan-markdown.ts';
import { planSarif } from '../../../src/features/formats/plan-sarif.ts';
import { answerYaml } from '../../../src/core/text/yaml/yaml-output.ts';
import { planText } from '../../../src/core/run/plan/print/plan-text.ts';
import { linkOf } from '../../support/plans/plan-builders.ts';
import { planCases } from '../../support/plans/plan-cases.ts';
import { filesBelow, turnInto } from '../../support/trees/tree-bytes.ts';

/*
 * Every plan of test/support/plans/plan-cases.ts in every format, byte for byte as formats/<case>.<format> has
 * it. UPDATE_GOLDEN=1 writes them anew and removes what is left over.
 */
const update = process.env.UPDATE_GOLDEN === '1' && !process.env.CI;
const folder = 'formats';

const formats: Readonly<Record<string, (plan: Plan) => string>> = {
  text: (plan) => planText(plan, { paint: paintOf(false) }, { manifests: true }),
  markdown: (plan) => planMarkdown(plan, { maxChars: 65_000, linkOf }),
  json: sanitizedJson,
  sarif: (plan) => planSarif(plan, '1.2.3'),
  github: planGithub,
  gitlab: planGitlab,
  html: (plan) => planHtml(plan, { linkOf }),
};

const made = new Map(
  Object.entries(planCases).flatMap(([name, plan]) =>
    Object.entries(formats).map(([format, render]) => [
      `${folder}/${name}.${format}`,
      render(plan),
    ]),
  ),
);

if (update) turnInto(import.meta.dirname, filesBelow(import.meta.dirname, [folder]), made);
const expected = filesBelow(import.meta.dirname, [folder]);

describe('a plan in every format', () => {
  test.each([...made.keys()])('%s', (path) => {
    expect(made.get(path), join('test/golden/plan', path)).toBe(expected.get(path));
  });

  test.each(Object.entries(planCases))('%s has the same data in YAML and JSON', (_, plan) => {
    expect(parse(answerYaml(plan))).toEqual(JSON.parse(sanitizedJson(plan)));
  });

  test('every golden file belongs to a case', () => {
    expect([...expected.keys()]).toEqual([...made.keys()].sort());
  });
});
