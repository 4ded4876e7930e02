import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allProblemCodes } from '../../../../src/core/model/codes/problem-codes.ts';
import { sanitizedJson } from '../../../../src/core/text/print/escape.ts';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import type { Diagnosis, Finding } from '../../../../src/features/cluster/diagnosis-answer.ts';
import { diagnosisTable, findingsPage } from '../../../../src/features/cluster/diagnosis-text.ts';
import { findingCodes } from '../../../../src/features/cluster/doctor/finding-codes.ts';
import { inventoryChecks } from '../../../../src/features/inventory/checks.ts';
import { inventoryFindings } from '../../../../src/features/inventory/codes.ts';

const plain = { paint: paintOf(false) };

function diagnosis(...findings: Finding[]): Diagnosis {
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Diagnosis',
    cluster: 'default',
    asked: 'here',
    ok: true,
    findings,
  };
}

describe('diagnosisTable', () => {
  it('has a line and details for each finding, then the counts', () => {
    const table = diagnosisTable(
      diagnosis(
        { level: 'ok', code: 'STRICT_ARP', found: 'fine' },
        { level: 'unknown', code: 'POD_SECURITY', found: 'not known' },
        {
          level: 'problem',
          code: 'AKASH_OPERATOR',
          found: 'it runs',
          means: 'bad things',
          fix: 'stop it',
          command: 'kubectl scale',
        },
        { level: 'problem', code: 'AKASH_OPERATOR', found: 'another runs' },
      ),
      plain,
    );

    expect(table).toBe(
      [
        'LEVEL    CODE            FOUND',
        'ok       STRICT_ARP      fine',
        'unknown  POD_SECURITY    not known',
        'problem  AKASH_OPERATOR  it runs',
        '  means: bad things',
        '  fix: stop it',
        '  $ kubectl scale',
        'problem  AKASH_OPERATOR  another runs',
        '1 ok, 2 problems, 1 unknown',
        '',
      ].join('\n'),
    );
  });

  it('fits 60 characters, with all words, and a command on one line', () => {
    const found = 'the provider waits for an IP operator that has no ready pod, since Monday';
    const command = `kubectl -n akash-services set env statefulset/akash-provider NAME=false`;
    const table = diagnosisTable(
      diagnosis({ level: 'problem', code: 'AKASH_OPERATOR', found, means: found, command }),
      { ...plain, width: 60 },
    );

    expect(table).toBe(
      [
        'LEVEL    CODE            FOUND',
        'problem  AKASH_OPERATOR  the provider waits for an IP',
        '                         operator that has no ready pod,',
        '                         since Monday',
        '  means: the provider waits for an IP operator that has no',
        '    ready pod, since Monday',
        `  $ ${command}`,
        '1 problem',
        '',
      ].join('\n'),
    );
  });

  it.each([80, 100, 120, 160])('fits %i characters', (width) => {
    const found = 'the provider waits for an IP operator that has no ready pod. '.repeat(4).trim();
    const table = diagnosisTable(
      diagnosis({ level: 'problem', code: 'AKASH_OPERATOR', found, means: found, fix: found }),
      { ...plain, width },
    );

    expect(table.split('\n').filter(({ length }) => length > width)).toEqual([]);
    expect(table.match(/no\s+ready\s+pod/g)).toHaveLength(12);
  });

  it('colours a level as its judgement', () => {
    const paint = paintOf(true);
    const table = diagnosisTable(
      diagnosis({ level: 'caution', code: 'STRICT_ARP', found: 'fine' }),
      { paint },
    );

    expect(table).toContain(paint.yellow('caution'));
  });

  it('removes control characters of texts from the cluster', () => {
    const hostile = 'a\u001b[2Jb\nc\u202e';
    const table = diagnosisTable(
      diagnosis({
        level: 'problem',
        code: 'METALLB_ADMISSION',
        found: hostile,
        means: hostile,
        fix: hostile,
        command: hostile,
      }),
      plain,
    );

    expect(table.split('\n')).toHaveLength(7);
    expect(table).not.toContain('\u001b');
    expect(table).not.toContain('\u202e');
  });

  it('escapes control characters in JSON', () => {
    const given = diagnosis({ level: 'ok', code: 'STRICT_ARP', found: 'a\u009b2J\u2028\u202eb' });
    const json = sanitizedJson(given);

    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(JSON.parse(json)).toEqual(given);
  });
});

describe('finding codes', () => {
  const explained = { ...findingCodes, ...inventoryFindings };

  it('differ from problem codes', () => {
    expect(Object.keys(explained).filter((code) => code in allProblemCodes())).toEqual([]);
  });

  it.each(Object.entries(explained))('%s is explained', (_, { title, fix }) => {
    expect(title).toMatch(/^[A-Z`].*\.$/);
    expect(fix).toMatch(/^[A-Z`].*\.$/);
  });

  it('are listed in docs/doctor.md in order (else run npm run docs)', () => {
    const page = readFileSync('docs/doctor.md', 'utf8');
    const written = page.slice(page.indexOf('\n### ') + 1);

    expect(written).toBe(findingsPage([inventoryChecks]));
  });
});
