import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import {
  healedInNames,
  unhealedInNames,
} from '../../../support/cluster/sabotages/hostname-remedies.ts';
import { remedyFor } from '../../../support/cluster/sabotages/remedies.ts';

/** A part of a program, as its parser gives it. */
interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'type' in value;

const partsIn = (part: Part): readonly Part[] => Object.values(part).flat().filter(isPart);

const nameOf = (part: unknown): string => String(Object(part).name);

/** What the files define, by name. */
const defined = new Map<string, Part[]>();
/** The values of the fields that say what to do. */
const values: Part[] = [];

function read(part: Part): void {
  const { type, id, key, value } = part;
  if (type === 'VariableDeclarator' || type === 'FunctionDeclaration') {
    defined.set(nameOf(id), [...(defined.get(nameOf(id)) ?? []), part]);
  }
  const isRemedy = type === 'Property' && ['fix', 'hint', 'command'].includes(nameOf(key));
  if (isRemedy && isPart(value)) values.push(value);
  for (const inner of partsIn(part)) read(inner);
}

/** Fields beside those that say what to do. */
const others = new Set('found means message reason refusal code state object'.split(' '));

/** The texts of a part, and of what it names; `…` is what the cluster gives. */
function textsOf(part: Part, seen: Set<Part>): readonly string[] {
  if (seen.has(part)) return [];
  seen.add(part);
  const { type, key, value, quasis } = part;
  if (type === 'Property' && others.has(nameOf(key))) return [];
  const named =
    type === 'Identifier' && !others.has(nameOf(part)) ? (defined.get(nameOf(part)) ?? []) : [];
  const inner = [...named, ...partsIn(part)].flatMap((one) => textsOf(one, seen));
  if (type === 'Literal' && typeof value === 'string') return [value];
  if (!Array.isArray(quasis)) return inner;
  return [quasis.map(({ value: { cooked } }) => cooked).join('…'), ...inner];
}

/** What begins so says how things are, and what to do at most after a colon. */
const statement = /^(?:advertise\S*|an?|any|does|interfaces|is|its?|no|nodeSelectors|nothing|the) /;

/** A sentence that says what to do, and not a command after one, or what joins the two. */
const isRemedy = (text: string): boolean =>
  /^(?:…: )?[a-zA-Z]\S* \S*\w/.test(text) &&
  !/^(?:kubectl|npx|without|with) |^…: …$/.test(text) &&
  (!statement.test(text) || text.includes(': '));

/** All that verify and doctor say to do. */
function remediesInSource(): ReadonlySet<string> {
  const folders = ['doctor', 'live', 'planes/metallb', 'planes/cilium'].map(
    (name) => `src/features/cluster/${name}`,
  );
  const files = [
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ),
    'src/features/cluster/akash-operator.ts',
    'src/features/cluster/planes/announcing.ts',
    'src/features/cluster/planes/plane.ts',
    ...['checks', 'inventory-operator', 'node-labels'].map(
      (one) => `src/features/inventory/${one}.ts`,
    ),
    'src/lib/kubernetes/doctor-checks.ts',
  ].filter((file) => file.endsWith('.ts') && !file.endsWith('finding-codes.ts'));
  for (const file of files) {
    read(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }) as unknown as Part);
  }
  const seen = new Set<Part>();
  return new Set(values.flatMap((value) => textsOf(value, seen)).filter(isRemedy));
}

const texts = remediesInSource();

test('each remedy of verify and doctor is done by a sabotage, or has a reason why not', () => {
  const open = [...texts].filter((text) => !remedyFor(text) && !remedyFor(`${text}: kubectl`));
  expect(open).toEqual([]);
});

test('each remedy of hostnames is healed by names.test.ts, or has a reason why not', () => {
  const source = readFileSync('test/cluster/names.test.ts', 'utf8');
  const healed = Object.entries(healedInNames);
  expect(healed.filter(([name]) => !source.includes(`heals('${name}', `))).toEqual([]);
  const listed = [...healed, ...unhealedInNames.map(([says, why]) => [why, says] as const)];
  // One that verify says no more would hold nothing.
  const said = (says: RegExp) => [...texts].some((text) => says.test(text));
  expect(listed.filter(([, says]) => !said(says))).toEqual([]);
});
