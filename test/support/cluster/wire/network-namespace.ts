import { execFileSync } from 'node:child_process';
import type { Keeper, Running, Start } from '../machines/keeper.ts';
import { systemPath } from '../machines/own-network.ts';
import { until } from '../wait.ts';

/** A network namespace of its own, with loopback and nothing else at first. It ends with its keeper. */
export class NetworkNamespace implements Pick<Keeper, 'start'> {
  readonly #keeper: Keeper;
  readonly #holder: Running;
  /** The process that holds it open, by which `ip` finds it. */
  readonly pid: string;

  constructor(keeper: Keeper, holder: Running, pid: string) {
    this.#keeper = keeper;
    this.#holder = holder;
    this.pid = pid;
  }

  /** Runs a short program in it. */
  run(command: string, ...args: readonly string[]): void {
    const env = { ...process.env, PATH: systemPath };
    execFileSync('nsenter', [...this.#entered, command, ...args], { env });
  }

  /** Sets a variable of its kernel, such as `ipv4/ip_forward`. */
  set(variable: string, value: string): void {
    this.run('sh', '-c', `echo ${value} > /proc/sys/net/${variable}`);
  }

  /** Starts a program in it. */
  start({ command, args, env, ...rest }: Start): Promise<Running> {
    return this.#keeper.start({
      ...rest,
      command: 'nsenter',
      args: [...this.#entered, command, ...args],
      env: { PATH: systemPath, ...env },
    });
  }

  stop(): Promise<void> {
    return this.#holder.stop('SIGKILL');
  }

  get #entered(): readonly string[] {
    return ['--net', '--target', this.pid];
  }
}

/** Makes a network namespace. */
export async function makeNamespace(keeper: Keeper, name: string): Promise<NetworkNamespace> {
  const holder = await keeper.start({
    name: `namespace-${name}`,
    command: 'unshare',
    args: ['--net', 'sh', '-c', 'ip link set lo up && echo $$ && exec sleep infinity'],
    env: { PATH: systemPath },
  });
  // It says its process id once it is in its namespace.
  const said = () => holder.log().trim() || undefined;
  const pid = await until(said, { what: `the namespace ${name}`, programs: [holder] });
  return new NetworkNamespace(keeper, holder, pid);
}
