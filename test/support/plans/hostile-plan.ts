import type { ProblemCode } from '../../../src/core/model/codes/problem-codes.ts';
import type { CautionCode } from '../../../src/core/run/plan/caution-codes.ts';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { aChange, aManifest, anOccupancy, aPlan } from './plan-builders.ts';

/** Texts that mean something to Markdown, HTML, a forge, a terminal, a log of GitHub, or a shell. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</details></code></table><h1>Approved</h1>',
  '@octocat @example/owners fixes #12 GH-1 example/leases#1 !7 ~bug %1 &2 ABC-123',
  'https://evil.example www.evil.example mail@evil.example ftp://evil.example',
  '[click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example>',
  '`` ` ``` `````` ``',
  'a | b \\| c \\\\| d |',
  ' :rocket: **bold** _it_ ~~cut~~ $x^2$ # 1. ',
  '1. first',
  '```\n</details>\n\n# Approved\n\n```diff\n~~~',
  '\n::error::injected\n::set-output name=x::y\n##[add-path]/tmp\r\n%0A::stop-commands::x',
  '--> <!-- leasehold:plan:default:1 --> <![CDATA[ ]]>',
  '\u202egnp.exe \u001b[2J\u001b]0;pwned\u0007 \u200bzero\u2028line \ud800',
  'git rm `x` <b>/approve</b> | @octocat && leasehold synth --base @octocat; /approve',
  '$(touch pwned) ; `touch pwned` && $\u007bHOME} "quoted" \'quoted\' &amp; &#60;',
  '{"a": 1}, [text](1) {0} %SRCROOT%',
  'deadbeefcafe 0123456 1234567890',
  '🦊'.repeat(40),
];

/** Codes for those texts. A golden file shall not change with each new code. */
const someCautions: readonly CautionCode[] = ['LEASE_CUT', 'LEASE_MOVED', 'FENCE_OPENED'];
const someProblems: readonly ProblemCode[] = ['FILE_UNEXPECTED', 'YAML_SYNTAX', 'POOL_EXHAUSTED'];

/** A plan in which every text that others choose is one of these. */
export function planOfTexts(texts: readonly string[], changes: Partial<Plan> = {}): Plan {
  return aPlan({
    verdict: 'caution',
    summary: texts.join(' '),
    pools: texts.map((pool) => ({ pool, zone: pool, family: 'ipv4', after: anOccupancy() })),
    addresses: texts.map((text, index) =>
      aChange({
        address: `203.0.113.${index}`,
        pool: text,
        before: { holder: text, state: 'released', freeFrom: '2026-11-01', claims: [] },
        after: { holder: `new ${text}`, state: 'held', claims: [text] },
        details: [text, text],
        at: { side: index % 2 ? 'base' : 'head', file: text, line: 3 },
      }),
    ),
    cautions: texts.map((message, index) => ({
      code: codeAt(someCautions, index),
      message,
      at: { side: 'head', file: message, line: 4 },
    })),
    problems: texts.map((message, index) => ({
      code: codeAt(someProblems, index),
      message,
      of: index % 2 ? 'tree' : 'change',
      file: message,
      line: 5,
      column: 6,
      hint: message,
      also: [`${message}:1:2`],
    })),
    manifests: texts.map((text) =>
      aManifest({
        path: `dist/${text}`,
        holder: text,
        objects: [
          {
            action: 'changed',
            object: text,
            fields: [{ path: text, before: text, after: text, grade: 'cosmetic' }],
          },
        ],
        diff: `@@ -1,1 +1,1 @@\n${signed('-', text)}${signed('+', text)}`,
      }),
    ),
    ...changes,
  });
}

function signed(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => `${sign}${line}\n`)
    .join('');
}

function codeAt<Code>(codes: readonly Code[], index: number): Code {
  const code = codes[index % codes.length];
  if (code === undefined) throw new Error('there are no codes');
  return code;
}
