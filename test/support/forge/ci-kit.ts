import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { tempTree } from '../trees/temp-tree.ts';

/** One step of a job or of a composite action, as its file has it. */
export interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** A workflow as its file has it. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions: unknown; readonly steps: readonly Step[]; readonly if?: string }
    >
  >;
}

/** What a file of the CI kit holds. */
export function readKit<Kit>(path: string): Kit {
  return parse(readFileSync(resolve(path), 'utf8')) as Kit;
}

/** The steps of action.yml. */
export function actionSteps(): readonly Step[] {
  return readKit<{ runs: { steps: readonly Step[] } }>('action.yml').runs.steps;
}

/** A step of action.yml by its name. */
export function actionStep(name: string): Step {
  const step = actionSteps().find((one) => one.name === name);
  if (!step) throw new Error(`action.yml has no step ${name}`);
  return step;
}

/** What a script printed, its status, and the files that a runner reads after it. */
export interface Ran {
  readonly status: number | null;
  /** Standard output and error, as they came. */
  readonly log: string;
  /** What it wrote to GITHUB_OUTPUT, as GitHub reads it. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Where a script runs and what it sees. */
export interface Running {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs a step's script as GitHub does: from a file, with these variables and none of the test's own, and
 * with what its `env` says once each expression has its value.
 */
export async function runStep(
  step: Step,
  { cwd, env }: Running,
  expressions: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const runner = tempTree({ 'script.sh': step.run ?? '', output: '', summary: '' });
  mkdirSync(join(runner, 'temp'));
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [
    name,
    withValues(value, expressions),
  ]);
  const { status, log } = await runBash(['-e', '-o', 'pipefail', join(runner, 'script.sh')], {
    cwd,
    env: {
      GITHUB_OUTPUT: join(runner, 'output'),
      GITHUB_STEP_SUMMARY: join(runner, 'summary'),
      RUNNER_TEMP: join(runner, 'temp'),
      ...env,
      ...Object.fromEntries(own),
    },
  });
  const outputs = outputsOf(readFileSync(join(runner, 'output'), 'utf8'));
  return { status, log, outputs, summary: readFileSync(join(runner, 'summary'), 'utf8') };
}

/** How a script ended, and what it printed. */
type Ended = Promise<{ readonly status: number | null; readonly log: string }>;

/** Runs bash with these variables beside PATH and HOME. */
export function runBash(args: readonly string[], running: Running): Ended {
  return runShell('bash', ['--noprofile', '--norc', ...args], running);
}

/** Runs a shell with these variables beside PATH and HOME. */
export function runShell(shell: string, args: readonly string[], { cwd, env }: Running): Ended {
  const child = spawn(shell, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stderr.on('data', (part: Buffer) => parts.push(part));
  return new Promise((done) => {
    child.on('close', (status) => done({ status, log: Buffer.concat(parts).toString('utf8') }));
  });
}

/** A value of `env` with every expression replaced; one that the test does not know is an error. */
function withValues(text: string, expressions: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = expressions[expression];
    if (value === undefined) throw new Error(`the test gives no value for ${expression}`);
    return value;
  });
}

/** `name=value`, or `name<<word`, lines, `word`. Anything else GitHub refuses. */
function outputsOf(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n').slice(0, -1);
  for (let index = 0; index < lines.length; index += 1) {
    const [, name = '', mark, rest = ''] =
      /^([A-Za-z_-]+)(=|<<)(.*)$/.exec(lines[index] ?? '') ?? [];
    if (name === '') throw new Error(`GITHUB_OUTPUT has the line ${lines[index]}`);
    if (mark === '=') outputs[name] = rest;
    else {
      const end = lines.indexOf(rest, index + 1);
      outputs[name] = lines.slice(index + 1, end).join('\n');
      index = end;
    }
  }
  return outputs;
}

/**
 * The lines of a log that the runner would obey: those with `::` or `##[`, outside of what stands between
 * `::stop-commands::word` and `::word::`.
 */
export function commandsIn(log: string): readonly string[] {
  let word: string | undefined;
  return log.split(/\r\n|[\r\n]/).filter((line) => {
    const stopped = /^::stop-commands::(.+)$/.exec(line)?.[1];
    if (word === undefined && stopped !== undefined) {
      word = stopped;
      return false;
    }
    if (word !== undefined) {
      if (line.trim() === `::${word}::`) word = undefined;
      return false;
    }
    return /^\s*::|##\[/.test(line);
  });
}

/** A folder of programs, each a script for bash, to be put before the others in PATH. */
export function programs(scripts: Readonly<Record<string, string>>): string {
  const folder = tempTree();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}
