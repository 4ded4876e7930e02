import { describe, expect, test } from 'vitest';
import {
  edited,
  problemLines,
  problemsIn,
  simpleSdl,
} from '../../../../support/declarations/sdl.ts';

describe('the version', () => {
  test.each([
    ...["'2.2'", '3', '1', '2.10', 'true', '~', '20', '2e0', '0x2', "''", 'V2', 'vv2', 'v', '-2'],
    ...["'2.'", "'2..0'", '2.0.1', '2.1.1', '2.0-x', '2.1.0-x', '2.0.0+x', '2.0.0.0'],
    ...['[2.0]', "['2.0']", "[['2.1']]", '{ a: b }', '{}'],
  ])('%s is refused', (version) => {
    expect(problemLines(edited(simpleSdl, '"2.0"', version))).toEqual(['SDL_VERSION 1:10']);
  });

  test('a missing version is refused', () => {
    expect(problemLines(edited(simpleSdl, 'version: "2.0"\n', ''))).toEqual(['SDL_VERSION 1:1']);
  });
});

describe('the types of values', () => {
  test.each([
    ['"80"', 'FIELD_TYPE 6:15'],
    ['true', 'FIELD_TYPE 6:15'],
    ['', 'FIELD_TYPE 6:15'],
    ['[80]', 'FIELD_TYPE 6:15'],
    ['0', 'FIELD_VALUE 6:15'],
    ['-1', 'FIELD_VALUE 6:15'],
    ['65536', 'FIELD_VALUE 6:15'],
    ['80.5', 'FIELD_VALUE 6:15'],
    ['080', 'FIELD_VALUE 6:15'],
    ['0x50', 'FIELD_VALUE 6:15'],
    ['8e1', 'FIELD_VALUE 6:15'],
    ['.inf', 'FIELD_VALUE 6:15'],
  ])('port %s is refused', (port, problem) => {
    expect(problemLines(edited(simpleSdl, 'port: 80', `port: ${port}`))).toEqual([problem]);
  });

  test('as follows the rules of port, and is never 0', () => {
    const withAs = (as: string): string =>
      edited(simpleSdl, 'port: 80\n', `port: 80\n        as: ${as}\n`);
    expect(problemLines(withAs('0'))).toEqual(['FIELD_VALUE 7:13']);
    expect(problemLines(withAs('"80"'))).toEqual(['FIELD_TYPE 7:13']);
  });

  test.each([
    ['http', 'FIELD_VALUE 7:16'],
    ['sctp', 'FIELD_VALUE 7:16'],
    ['6', 'FIELD_TYPE 7:16'],
  ])('proto %s is refused', (proto, problem) => {
    const text = edited(simpleSdl, 'port: 80\n', `port: 80\n        proto: ${proto}\n`);
    expect(problemLines(text)).toEqual([problem]);
  });

  test.each([
    ['      - port: 80\n', '      - as: 80\n', 'FIELD_MISSING 6:9'],
    ['global: true', 'global: "true"', 'FIELD_TYPE 8:21'],
    ['ip: myip', 'ip: 12', 'FIELD_TYPE 9:17'],
    ['ip: myip', 'ip:', 'FIELD_TYPE 9:16'],
    ['          - global: true\n            ip: myip', '          global: true', 'FIELD_TYPE 8:11'],
    ['          - global: true\n            ip: myip', '          - global', 'FIELD_TYPE 8:13'],
    ['    west: { profile: web, count: 1 }', '    west', 'FIELD_TYPE 23:5'],
    ['{ profile: web, count: 1 }', 'web', 'FIELD_TYPE 23:11'],
    ['endpoints:\n  myip: { kind: ip }', 'endpoints: [myip]', 'FIELD_TYPE 24:12'],
  ])('%j replaced by %j is refused', (original, replacement, problem) => {
    const [first] = problemLines(edited(simpleSdl, original, replacement));
    expect(first).toBe(problem);
  });

  test('a section that is missing or not a mapping is refused', () => {
    expect(problemLines("version: '2.0'\n")).toEqual(['FIELD_MISSING 1:1', 'FIELD_MISSING 1:1']);
    expect(problemLines("version: '2.0'\nservices: []\ndeployment: web\n")).toEqual([
      'FIELD_TYPE 2:11',
      'FIELD_TYPE 3:13',
    ]);
    expect(problemLines('- a\n')).toEqual(['FIELD_TYPE 1:1']);
  });

  test('a message contains the value and what was expected', () => {
    expect(problemsIn(edited(simpleSdl, 'port: 80', 'port: "80"'))[0]?.message).toBe(
      "'port' is text, expected a number from 1 to 65535",
    );
  });

  test('a part with problems causes no follow-up problems', () => {
    const text = edited(simpleSdl, 'port: 80', 'port: 70000');
    expect(problemLines(text)).toEqual(['FIELD_VALUE 6:15']);
  });
});

describe('hostile SDLs', () => {
  test('a file that is not YAML has the problems of the file', () => {
    expect(problemLines('a: [\n')[0]).toMatch(/^YAML_SYNTAX /);
  });

  test('recursive aliases are refused', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const below = level === 0 ? '1' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array(10).fill(below).join(', ')}]\n`;
    });
    expect(problemLines(`${simpleSdl}${levels.join('')}`)[0]).toMatch(/^YAML_ALIAS /);
    expect(problemLines(`${simpleSdl}self: &self [*self]\n`)[0]).toMatch(/^YAML_/);
  });
});
