import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readShape, refusing, type ShapeRules } from '../../../../src/core/text/shape.ts';
import { readYaml } from '../../../../src/core/text/yaml/yaml-document.ts';

const schema = z.strictObject({
  name: z.string().regex(/^[a-z]+$/, 'expected lower-case letters'),
  port: z.int().min(1).max(9).default(5),
  mode: z.enum(['on', 'off']).optional(),
  flag: z.boolean().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  list: z
    .array(z.strictObject({ zone: z.string() }))
    .min(1)
    .max(2)
    .optional(),
  labels: z.record(z.string().regex(/^[a-z]+$/, 'expected letters'), z.string()).optional(),
  even: z
    .number()
    .superRefine(
      refusing((value: number) =>
        value % 2 === 0 ? undefined : { code: 'PORT_TAKEN', message: 'odd', hint: 'Add one' },
      ),
    )
    .optional(),
});

function read(text: string, rules?: ShapeRules) {
  const document = readYaml('a.yaml', new TextEncoder().encode(text), 'refused');
  if (!document.ok) throw new Error(JSON.stringify(document.problems));
  return readShape(schema, document.value, rules);
}

function problems(text: string, rules?: ShapeRules): string[] {
  const outcome = read(text, rules);
  if (outcome.ok) return [];
  return outcome.problems.map(({ code, at, message, hint }) =>
    [`${code} ${at.line}:${at.column} ${message}`, ...(hint ? [hint] : [])].join(' | '),
  );
}

describe('readShape', () => {
  it('gives the value with defaults', () => {
    expect(read('name: a\n')).toEqual({ ok: true, value: { name: 'a', port: 5 } });
  });

  it.each([
    ['port: 1\n', "FIELD_MISSING 1:1 the file lacks the field 'name'"],
    [
      'name: a\nlist: web\n',
      "FIELD_TYPE 2:7 'list' is 'web', expected a list | write a list, such as [web]",
    ],
    [
      'name: a\nport: http\n',
      "FIELD_TYPE 2:7 'port' is 'http', expected a number | write digits, such as 80",
    ],
    // One mistake is one problem.
    ['nme: a\n', "FIELD_UNKNOWN 1:1 the field 'nme' is unknown | did you mean 'name'?"],
    ['name:\n', "FIELD_TYPE 1:6 'name' is empty, expected a string"],
    [
      'name: 1\n',
      "FIELD_TYPE 1:7 'name' is the number 1, expected a string | write it in quotes: '1'",
    ],
    ['name: A\n', "FIELD_VALUE 1:7 'name' is 'A', expected lower-case letters"],
    ['name: a\nport: 0\n', "FIELD_VALUE 2:7 'port' is the number 0, expected at least 1"],
    [
      'name: a\nport: 1.5\n',
      "FIELD_TYPE 2:7 'port' is the number 1.5, expected a whole number | write 1 or 2",
    ],
    [
      'name: a\nport: 0x5\n',
      "FIELD_VALUE 2:7 'port' is written '0x5', expected a plain decimal number",
    ],
    [
      'name: a\nmode: of\n',
      "FIELD_VALUE 2:7 'mode' is 'of', expected on or off | did you mean 'off'?",
    ],
    ['name: a\nmode: 1\n', "FIELD_TYPE 2:7 'mode' is the number 1, expected on or off"],
    [
      'name: a\nflag: yes\n',
      "FIELD_TYPE 2:7 'flag' is 'yes', expected true or false | write true or false, without quotes",
    ],
    [
      'name: a\nid: true\n',
      "FIELD_TYPE 2:5 'id' is the boolean true, expected a string or a number",
    ],
    ['name: a\nlist: []\n', "FIELD_VALUE 2:7 'list' has 0 entries, expected at least 1 entry"],
    [
      'name: a\nlist: {}\n',
      "FIELD_TYPE 2:7 'list' is a mapping, expected a list | write a dash before each entry, or [ ] around them",
    ],
    [
      'name: a\nlist:\n  - x: 1\n    zone: a\n',
      "FIELD_UNKNOWN 3:5 the field 'list[0].x' is unknown | the only field there is zone",
    ],
    ['name: a\nlist: [{}]\n', "FIELD_MISSING 2:8 'list[0]' lacks the field 'zone'"],
    ['name: a\nlabels: {A: b}\n', "FIELD_VALUE 2:10 the key 'A' is not allowed, expected letters"],
    ['name: a\neven: 3\n', 'PORT_TAKEN 2:7 odd | Add one'],
    ['name: a\nprot: 3\n', "FIELD_UNKNOWN 2:1 the field 'prot' is unknown | did you mean 'port'?"],
    [
      '- a\n',
      'FIELD_TYPE 1:1 the file is a list, expected a mapping | write its fields below it, without a dash: name, port, mode, flag, id, list, labels, even',
    ],
    [
      'text\n',
      "FIELD_TYPE 1:1 the file is 'text', expected a mapping | write its fields below it: name, port, mode, flag, id, list, labels, even",
    ],
  ])('refuses %j: %s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('tells all problems together', () => {
    expect(
      problems('prot: 1\nzoen: 2\nport: 0\n')
        .map((text) => text.split(' ')[0])
        .sort(),
    ).toEqual(['FIELD_MISSING', 'FIELD_UNKNOWN', 'FIELD_UNKNOWN', 'FIELD_VALUE']);
  });

  it('tells which key of a list item was meant', () => {
    expect(problems('name: a\nlist: [{zoen: a, zone: b}]\n')).toEqual([
      "FIELD_UNKNOWN 2:9 the field 'list[0].zoen' is unknown | did you mean 'zone'?",
    ]);
  });

  it('a text in the place of a list has one problem, without those of its items', () => {
    expect(problems('name: a\nlist: some long text\n')).toEqual([
      "FIELD_TYPE 2:7 'list' is 'some long text', expected a list | write a list, such as [a, b]",
    ]);
  });

  it('refuses a number that is not plain decimal with the code that its rules say', () => {
    const [problem] = problems('name: a\nid: 0123\n', {
      numberCodes: new Map([['id', 'DSEQ_INVALID']]),
    });

    expect(problem).toContain('DSEQ_INVALID 2:5');
  });

  it('shows a long value short and on one line', () => {
    const [problem] = problems(`name: "a\\nb${'x'.repeat(1000)}"\n`);

    expect(problem).toHaveLength(118);
    expect(problem).not.toContain('\n');
  });
});
