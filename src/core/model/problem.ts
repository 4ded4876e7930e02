import type { ProblemCode } from './codes/problem-codes.ts';
import { compareText } from './order.ts';

/** A place in a committed file. Lines and columns count from 1. */
export interface Position {
  /** Relative to the repository root, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place in messages, unique: `leases/pools.yaml:3:5`. */
export function placeText({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** Equal for problems of one code at the same places, whatever they say. */
export function problemKey({ code, at, also = [] }: Problem): string {
  return [code, ...[at, ...also].map(placeText)].join(' ');
}

/** A count in a message: `1 pool`, `3 pools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The first texts of a list in a message: `a, b, c`, or `a, b and 4 more`. */
export function fewOf(texts: readonly string[], most = 5): string {
  const omitted = texts.length - most;
  return omitted > 0 ? `${texts.slice(0, most).join(', ')} and ${omitted} more` : texts.join(', ');
}

/** An error in the committed input, for the person who edits it. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence: what was found, then what was expected. No trailing period. */
  readonly message: string;
  readonly at: Position;
  /** The next edit or command. */
  readonly hint?: string;
  /** The parts of a hint that advises a move: {@link moveHint}. */
  readonly move?: MoveHint;
  /** Other places that are involved. */
  readonly also?: readonly Position[];
  /** The line of a file at a place, for people to look at; undefined when it is not shown. */
  readonly source?: (at: Position) => string | undefined;
}

/** A hint that advises a move of addresses, in the parts that depend on where the move is made. */
export interface MoveHint {
  /** The hint up to its command. */
  readonly before: string;
  /** The arguments of the command. Undefined for a hint without one. */
  readonly moved?: string;
  readonly after?: string;
  /** For a move to a pin, which a merge in progress does not make: what to do then. */
  readonly keeping?: string;
  /** In a merge: the words before the command; empty when the merge is in progress. */
  readonly merge?: string;
  /** An option of the command with its value, after a space. */
  readonly option?: string;
}

/** The hint of a problem that advises a move, and its parts. */
export function moveHint(move: MoveHint): Pick<Problem, 'hint' | 'move'> {
  const { before, moved, after = '', keeping, merge, option = '' } = move;
  if (keeping !== undefined && merge === '') return { hint: keeping, move };
  if (moved === undefined) return { hint: before, move };
  const isResolved = merge !== undefined && keeping === undefined;
  const first = merge ?? (keeping === undefined ? '' : 'run ');
  const command = `leasehold ${isResolved ? 'resolve --move' : 'move'} ${moved}${option}`;
  return { hint: `${before}${first}\`${command}\`${after}`, move };
}

/** The problem with the hint for a move that is made in a merge, or with an option. */
export function withMove(problem: Problem, place: Pick<MoveHint, 'merge' | 'option'>): Problem {
  return problem.move ? { ...problem, ...moveHint({ ...problem.move, ...place }) } : problem;
}

/**
 * How well a declaration, a part of one or a record stands in a clash: the lower text, in
 * `compareText` order, stays, and the problem is at the other one. It begins with ranks, and a day
 * follows. A claim is named with its port.
 */
export type Standing = (item: Standable) => string;

interface Standable {
  readonly at: Position;
  readonly externalPort?: number;
  readonly protocol?: string;
}

/** The items with the better standing first; in the same order without a difference. */
export function byStanding<Item extends Standable>(
  items: readonly Item[],
  standing: Standing | undefined,
): readonly Item[] {
  if (!standing) return items;
  return items.toSorted((left, right) => compareText(standing(left), standing(right)));
}

/** A value, or all problems found. */
export type Outcome<Value> = Success<Value> | Failure;

interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
}

interface Failure {
  readonly ok: false;
  readonly problems: readonly Problem[];
}

/** An outcome with a value. */
export function ok<Value>(value: Value): Success<Value> {
  return { ok: true, value };
}

/** An outcome with problems, in their order. */
export function fail(problems: readonly Problem[]): Failure {
  return { ok: false, problems };
}

/** An outcome with problems, in the order of reports: {@link compareProblems}. */
export function failSorted(problems: readonly Problem[]): Failure {
  return fail(problems.toSorted(compareProblems));
}

/** The value if there are no problems; otherwise the problems, in their order. */
export function okUnless<Value>(problems: readonly Problem[], value: Value): Outcome<Value> {
  return problems.length > 0 ? fail(problems) : ok(value);
}

/** A bug in leasehold. No committed file can cause one. Exit status 70. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/**
 * A failure of the environment: a file cannot be written, git is missing, another process holds the
 * lock. Exit status 74.
 */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * A request that must not be repeated was interrupted. Only reading the current state shows whether
 * it was carried out.
 */
export class UnsureError extends EnvironmentError {}

/**
 * A commit that leasehold does not read: git would not make its trees, or they exceed a bound. A
 * caller that reads several commits handles it as any failure to read one. Exit status 1.
 */
export class CommitProblem extends EnvironmentError {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.at.file}: ${problem.message}`);
    this.problem = problem;
  }
}

/** A live cluster denied a request by its RBAC. Exit status 74. */
export class DeniedError extends EnvironmentError {
  /** Verb and resource, such as `list services`. */
  readonly request: string;
  /**
   * The user that the cluster authenticated, such as `system:anonymous`; `this user` if unknown.
   */
  readonly user: string;

  constructor(message: string, request: string, user = 'this user') {
    super(message);
    this.request = request;
    this.user = user;
  }
}

/** The first line of a file: the place of a problem of the whole file. */
export function startOf(file: string): Position {
  return { file, line: 1, column: 1 };
}

/** The most problems that are reported for a file: one mistake can cause many. */
const mostOfFile = 100;

/** The first problems of a file, in the order of reports. */
export function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(compareProblems).slice(0, mostOfFile);
}

/** Order of places: by file, line, column. */
export function comparePositions(left: Position, right: Position): number {
  return compareText(left.file, right.file) || left.line - right.line || left.column - right.column;
}

/** Order of problems in every report: by place, code, message. */
export function compareProblems(left: Problem, right: Problem): number {
  return (
    comparePositions(left.at, right.at) ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}
