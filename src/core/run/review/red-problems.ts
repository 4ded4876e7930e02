import type { Commit } from '../../interfaces/commits.ts';
import { isHeld, isSameAllocation, type Tenure } from '../../model/allocation.ts';
import { isSameHostname } from '../../model/hostname.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { hostnamePath } from '../../records/hostname-file.ts';
import type { Declared } from '../../tree/declared.ts';
import { revertCommand, type Sides, shownRef } from './comparison.ts';
import type { LawfulRecords } from './lawful-records.ts';

/** The problems of a red commit and of a head of it. */
interface RedSides extends Sides {
  /** Undefined when the commit is not red: nothing follows from it then. */
  readonly lawful: LawfulRecords | undefined;
}

/**
 * ALLOCATION_FORGED for each record that the base has against the rules and that the head leaves as
 * it is: at the declaration of who got it, else at that of who lost it. `ref` names the base.
 */
export function redProblems({ lawful, base, head }: RedSides, ref = ''): Problem[] {
  if (!lawful) return [];
  const where = shownRef(ref) ?? 'the base';
  const kept = new Map([
    ...keptRecords(
      { lawful: lawful.table, base: base.table, head: head.table },
      isSameAllocation,
      ({ address }) => allocationPath(address),
    ),
    ...keptRecords(
      { lawful: lawful.hostnameTable, base: base.hostnameTable, head: head.hostnameTable },
      isSameHostname,
      ({ hostname }) => hostnamePath(hostname),
    ),
  ]);
  const declared = new Map([
    ...(head.holders ?? []).map(({ id, at }) => [id, at] as const),
    ...head.hostnames.map(({ holder, at }) => [holder, at] as const),
  ]);
  return [...lawful.broken].flatMap(([file, refused]): Problem[] => {
    const record = kept.get(file);
    if (!record) return [];
    const { text, was, is } = record;
    const commit = refused.id.slice(0, 12);
    const places = [is, was].flatMap((one) => declared.get(one?.holder ?? '') ?? []);
    const [at = startOf(file), ...also] = [...new Set(places)];
    return [
      {
        code: 'ALLOCATION_FORGED',
        message: `the commit ${commit} of ${where} changed ${text} against the rules: it ${stateOf('was', was)}, and ${stateOf('is', is)} now`,
        at,
        also: at.file === file ? also : [...also, startOf(file)],
        hint: repairHint(where, refused),
      },
    ];
  });
}

function repairHint(where: string, refused: Commit): string {
  return `repair ${where} first, on a branch of it: take back that commit (\`${revertCommand(refused)}\`) or remove the declaration without a record, run \`leasehold synth\`, and commit what it writes; check --base then accepts it`;
}

/**
 * The problems with the repair of the base as the hint of each that follows from it: a run on the
 * branch has recorded what the base has only declared against the rules.
 */
export function withRepairHint(
  problems: readonly Problem[],
  { lawful, head }: Omit<RedSides, 'base'>,
  ref = '',
): readonly Problem[] {
  if (!lawful) return problems;
  const [was, is] = [holdersByPath(lawful), holdersByPath(head)];
  return problems.map((problem) => {
    const files = [problem.at, ...(problem.also ?? [])].map(({ file }) => file);
    // Who lost an address or hostname, and who has it now.
    const isGiven = (one: string) => was.has(one) && is.has(one) && is.get(one) !== was.get(one);
    const refused = lawful.broken.get(files.find(isGiven) ?? '');
    if (!refused || !isExplained(problem)) return problem;
    return { ...problem, hint: repairHint(shownRef(ref) ?? 'the base', refused) };
  });
}

function holdersByPath({
  table,
  hostnameTable,
}: Pick<Declared, 'table' | 'hostnameTable'>): ReadonlyMap<string, string> {
  return new Map([
    ...[...table.values()].map(({ address, holder }) => [allocationPath(address), holder] as const),
    ...[...hostnameTable.values()].map(
      ({ hostname, holder }) => [hostnamePath(hostname), holder] as const,
    ),
  ]);
}

/** A record as it should be and as the base has it. */
interface KeptRecord {
  /** The address or hostname. */
  readonly text: string;
  readonly was: Tenure | undefined;
  readonly is: Tenure | undefined;
}

/** The records that the base has against the rules and the head leaves as they are, by file. */
function keptRecords<Kept extends Tenure>(
  { lawful, base, head }: Readonly<Record<keyof RedSides, ReadonlyMap<string, Kept>>>,
  isSame: (left: Kept | undefined, right: Kept | undefined) => boolean,
  pathOf: (record: Kept) => string,
): readonly (readonly [file: string, record: KeptRecord])[] {
  return [...new Map([...lawful, ...base])].flatMap(([text, record]) => {
    const [was, is] = [lawful.get(text), base.get(text)];
    const isKept = isSame(is, head.get(text)) && !isSame(is, was);
    return isKept ? [[pathOf(record), { text, was, is }] as const] : [];
  });
}

function stateOf(verb: 'was' | 'is', record: Tenure | undefined): string {
  if (!record) return verb === 'was' ? 'had no record' : 'has none';
  return isHeld(record)
    ? `${verb} held by ${record.holder}`
    : `${verb} kept for ${record.holder} until ${record.released?.freeFrom}`;
}

/** The problems without those that the red ones explain: they would name who is right. */
export function withoutRed(
  problems: readonly Problem[],
  red: readonly Problem[],
): readonly Problem[] {
  const files = new Set(red.flatMap(({ at, also = [] }) => [at, ...also]).map(({ file }) => file));
  return problems.filter((problem) => !isExplained(problem) || !files.has(problem.at.file));
}

/** True for a problem that can follow from a record against the rules. */
export function isExplained({ code }: Problem): boolean {
  return explained.has(code);
}

const explained: ReadonlySet<Problem['code']> = new Set([
  'ALLOCATION_FORGED',
  'HOLDER_SPLIT',
  'PIN_TAKEN',
  'STALE',
]);
