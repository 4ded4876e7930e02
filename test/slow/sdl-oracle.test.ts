import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ok } from '../../src/core/model/problem.ts';
import { type Address, parseAddress } from '../../src/core/net/address.ts';
import { fillPlaceholders } from '../../src/features/ask/sdl-placeholders.ts';
import { edited, endpointLines, problemsIn, simpleSdl } from '../support/declarations/sdl.ts';
import { anySdl, type GeneratedSdl } from '../support/declarations/sdl-arbitrary.ts';
import { type OraclePackages, oraclePackages } from '../support/run/oracle-packages.ts';

/** What Akash's parser says of an SDL: the leased ports of each group, or why it refuses. */
type Verdict =
  | { readonly groups: readonly (readonly string[])[] }
  | { readonly errors: readonly { readonly message: string; readonly instancePath: string }[] };

const afterServices = (text: string): string =>
  edited(simpleSdl, 'services:\n', `services:\n${text}`);

const twoPlacements = edited(
  edited(
    afterServices(
      '  api: { image: a, expose: [{ port: 80, to: [{ global: true, ip: myip }] }] }\n',
    ),
    'deployment:\n',
    'deployment:\n  api: { east: { profile: web, count: 1 } }\n',
  ),
  '  placement:\n',
  '  placement:\n    east: { pricing: { web: { denom: uakt, amount: 10 } } }\n',
);

/** What Akash's TypeScript parser refuses and we take, and the reason that it gives. */
const takenByUs: readonly (readonly [title: string, text: string, reason: RegExp])[] = [
  [
    'an unquoted version, which the Go parser takes',
    edited(simpleSdl, '"2.0"', '2.0'),
    /"version" should be string/,
  ],
  [
    'a protocol in mixed case, which the Go parser takes',
    edited(simpleSdl, 'port: 80\n', 'port: 80\n        proto: Tcp\n'),
    /"proto" .* should be one of/,
  ],
  [
    'an empty protocol, which the Go parser takes',
    edited(simpleSdl, 'port: 80\n', "port: 80\n        proto: ''\n"),
    /"proto" .* should be one of/,
  ],
  [
    'a service that is not deployed, which the Go parser takes',
    afterServices('  db: { image: a }\n'),
    /"db" is not defined at "\/deployment"/,
  ],
  [
    'a field that we pass over',
    edited(simpleSdl, 'port: 80\n', 'port: 80\n        note: any\n'),
    /"note" is not allowed/,
  ],
  [
    'credentials without a password, which need not be in git',
    edited(simpleSdl, '    expose:\n', '    credentials: { host: a, username: b }\n    expose:\n'),
    /password/,
  ],
  [
    'the ip_name of the published documents',
    edited(simpleSdl, '            ip: myip\n', '        ip_name: myip\n'),
    /"ip_name" is not allowed/,
  ],
  ['one port in two placements', twoPlacements, /already in use by service "api"/],
];

/** What Akash's TypeScript parser takes and we refuse. */
const refusedByUs: readonly (readonly [title: string, text: string, code: string])[] = [
  [
    'a service name that the Go manifest refuses',
    simpleSdl.replaceAll('\n  web:', '\n  Web:'),
    'SDL_INVALID',
  ],
  [
    'a port in another notation, which parsers read differently',
    edited(simpleSdl, 'port: 80', 'port: 0x50'),
    'FIELD_VALUE',
  ],
];

/** An SDL with placeholders, and the same with addresses. */
const placeholders = edited(
  simpleSdl,
  '    expose:\n',
  "    env: [A=$(leased.myip)]\n    args: ['--b=$(leased.myip.ipv6)']\n    expose:\n",
);
const address = { ipv4: '203.0.113.7', ipv6: '2001:db8::' };
const filled = fillPlaceholders('sdl.yaml', Buffer.from(placeholders), ({ family = 'ipv4' }) =>
  ok(parseAddress(address[family]) as Address),
);
const filledText = filled.ok ? Buffer.from(filled.value).toString('utf8') : '';

const generated = fc.sample(anySdl, { seed: 1, numRuns: 500 });
const texts = [
  simpleSdl,
  ...takenByUs.map(([, text]) => text),
  ...refusedByUs.map(([, text]) => text),
  placeholders,
  filledText,
  ...generated.map((sdl) => stringify(sdl)),
];
const packages = oraclePackages();

describe.skipIf(!packages)("Akash's own SDL parser", () => {
  const verdicts = new Map<string, Verdict>();
  const verdictOf = (text: string): Verdict => {
    const verdict = verdicts.get(text);
    if (!verdict) throw new Error(`no verdict on: ${text}`);
    return verdict;
  };

  beforeAll(() => {
    if (!packages) return;
    const answers = askOracle(packages);
    expect(answers).toHaveLength(texts.length);
    for (const [index, answer] of answers.entries()) verdicts.set(texts[index] ?? '', answer);
  });

  test('agrees on every generated SDL but for ports that meet only across placements', () => {
    const seen = { leased: 0, unleased: 0, refused: 0, across: 0 };
    const codes = new Set(
      generated.flatMap((sdl) => problemsIn(stringify(sdl)).map(({ code }) => code)),
    );
    for (const sdl of generated) {
      for (const gseq of [1, 2]) {
        seen[compare(sdl, gseq, verdictOf(stringify(sdl)))] += 1;
      }
    }
    expect([...codes].sort()).toEqual([
      'FIELD_VALUE',
      'PORT_TAKEN',
      'SDL_ENDPOINT_KIND',
      'SDL_ENDPOINT_NAME',
      'SDL_ENDPOINT_UNKNOWN',
      'SDL_ENDPOINT_UNUSED',
      'SDL_NOT_GLOBAL',
      'SDL_NO_ENDPOINT',
      'SDL_VERSION',
    ]);
    expect(seen.leased).toBeGreaterThan(250);
    expect(seen.unleased).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(250);
    expect(seen.across).toBeGreaterThan(0);
  });

  test('agrees on the SDL that the differences start from', () => {
    expect(verdictOf(simpleSdl)).toEqual({ groups: [endpointLines(simpleSdl)] });
  });

  test('takes an SDL with placeholders, and with their addresses', () => {
    expect(filledText).toContain('A=203.0.113.7');
    expect(filledText).toContain('--b=2001:db8::');
    expect(verdictOf(placeholders)).toEqual({ groups: [endpointLines(simpleSdl)] });
    expect(verdictOf(filledText)).toEqual({ groups: [endpointLines(simpleSdl)] });
  });

  test.each(takenByUs)(
    'the oracle refuses an SDL that leasehold accepts: %s',
    (_, text, reason) => {
      const verdict = verdictOf(text);
      expect(problemsIn(text)).toEqual([]);
      expect('errors' in verdict && verdict.errors[0]?.message).toMatch(reason);
    },
  );

  test.each(refusedByUs)(
    'the oracle accepts an SDL that leasehold refuses: %s',
    (_, text, code) => {
      expect(problemsIn(text).map((problem) => problem.code)).toEqual([code]);
      expect(verdictOf(text)).toHaveProperty('groups');
    },
  );
});

/** Asks about all texts in one child process. */
function askOracle({ node24, chainSdk }: OraclePackages): readonly Verdict[] {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-oracle-'));
  try {
    const batch = join(folder, 'batch.json');
    writeFileSync(batch, JSON.stringify(texts));
    const script = fileURLToPath(new URL('../oracle/oracle.mjs', import.meta.url));
    const answer = execFileSync(node24, [script, chainSdk, batch], { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(answer.toString('utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Kind = 'leased' | 'unleased' | 'refused' | 'across';

/** Fails where the two disagree, and else says on what they agree. */
function compare(sdl: GeneratedSdl, gseq: number, verdict: Verdict): Kind {
  const text = stringify(sdl);
  const problems = problemsIn(text, gseq).map(({ code }) => code);
  const empty = problems.join() === 'SDL_NO_ENDPOINT' || problems.join() === 'SDL_GROUP_UNKNOWN';
  const accepted = problems.length === 0 || empty;
  if ('errors' in verdict) {
    if (!accepted) return 'refused';
    expect(
      verdict.errors.filter((error) => !isAcrossPlacements(sdl, error)),
      text,
    ).toEqual([]);
    return 'across';
  }
  expect({ text, accepted, problems }).toEqual({ text, accepted: true, problems });
  const group = verdict.groups[gseq - 1];
  expect(problems.includes('SDL_GROUP_UNKNOWN'), text).toBe(group === undefined);
  const ours = empty ? [] : endpointLines(text, gseq);
  expect([...ours].sort(), text).toEqual([...(group ?? [])].sort());
  return empty ? 'unleased' : 'leased';
}

/** True for a port collision of two services that no placement deploys together. */
function isAcrossPlacements(
  { deployment }: GeneratedSdl,
  { message, instancePath }: { readonly message: string; readonly instancePath: string },
): boolean {
  const other = /already in use by service "(\w+)"/.exec(message)?.[1];
  const service = /^\/services\/(\w+)\//.exec(instancePath)?.[1];
  if (other === undefined || service === undefined) return false;
  const places = new Set(Object.keys(deployment[other] ?? {}));
  return Object.keys(deployment[service] ?? {}).every((place) => !places.has(place));
}
