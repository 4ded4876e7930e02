import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runInProcess } from '../run/run-in-process.ts';

/** One container of a pod as a process: the folders that it mounts lie below a folder of the test. */
export interface PodProcess {
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets; the folder `bin` comes first on its path. */
  readonly env: Readonly<Record<string, string>>;
}

/** The containers of the Deployment that `bootstrap serve` prints. */
export interface Pod {
  readonly init: PodProcess;
  readonly main: PodProcess;
}

/** A container of a Deployment. */
export interface Container {
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** The containers of the Deployment that `bootstrap serve` prints in a repository for these options. */
export async function printedContainers(
  root: string,
  words: readonly string[],
): Promise<{ readonly init: Container; readonly main: Container }> {
  const command = ['bootstrap', 'serve', '--image', 'leasehold:1', ...words];
  const { status, out, err } = await runInProcess(command, root);
  if (status !== 0) throw new Error(err);
  const objects = parseAllDocuments(out).map((document) => document.toJS());
  const { spec } = objects.find(({ kind }) => kind === 'Deployment').spec.template;
  return { init: spec.initContainers[0], main: spec.containers[0] };
}

/** The pod that `bootstrap serve` prints in a repository for these options, to be run below a folder. */
export async function podOf(root: string, folder: string, words: readonly string[]): Promise<Pod> {
  const { init, main } = await printedContainers(root, words);
  for (const mount of ['srv', 'tmp', 'secrets', 'bin']) mkdirSync(join(folder, mount));
  const process = ({ command: argv, args = [], env }: Container): PodProcess => {
    const here = (text: string) =>
      text.replaceAll(/(?<![\w.])\/(?:srv|tmp|secrets)\b/g, (mount) => folder + mount);
    const [first = '', ...rest] = [...argv, ...args].map(here);
    const own = Object.fromEntries(env.map(({ name, value }) => [name, here(value)]));
    const path = `${join(folder, 'bin')}:${globalThis.process.env.PATH}`;
    return { command: first, args: rest, env: { PATH: path, ...own } };
  };
  return { init: process(init), main: process(main) };
}

/** Puts a script on the path of the pods below a folder. */
export function putProgram(folder: string, name: string, script: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${script}`);
  chmodSync(path, 0o755);
}

/** Gives a mounted Secret other contents at one moment, as the kubelet does: each file is a link through `..data`. */
export function putSecret(
  folder: string,
  version: number,
  files: Readonly<Record<string, string>>,
): void {
  const at = (name: string) => join(folder, 'secrets', name);
  mkdirSync(at(`..${version}`));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(at(`..${version}`), name), text, { mode: 0o440 });
    rmSync(at(name), { force: true });
    symlinkSync(join('..data', name), at(name));
  }
  symlinkSync(`..${version}`, at('..data_tmp'));
  renameSync(at('..data_tmp'), at('..data'));
}
