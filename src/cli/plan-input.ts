import { type Plan, readPlanJson } from '../features/plan/plan-answer.ts';
import { plain } from '../text/print/plain.ts';
import { readInput } from '../world/disk/named-file.ts';
import type { World } from './world.ts';

/** More than a plan of every address of a repository of 20,000 leases. */
const mostBytes = 128 * 1024 * 1024;

/** The plan in a file that `leasehold plan -o json` printed; undefined once it was said why it is none. */
export async function readPlan(world: World, name: string): Promise<Plan | undefined> {
  const read = readPlanJson(await readInput(world.cwd, { name, mostBytes }));
  if (read.ok) return read.value;
  world.err(read.messages.map((message) => `leasehold: ${plain(message)}\n`).join(''));
  return undefined;
}
