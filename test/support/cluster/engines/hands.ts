import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from '../../repositories/git-environment.ts';
import { applyInOrder, removed } from '../by-hand.ts';
import { ownObjects } from '../convergence.ts';
import { nameOf } from '../manifests.ts';
import { inWaves, plannedIn } from '../planned.ts';
import type { Engine, Host } from './engine.ts';

/** Somebody with a clone and kubectl, who applies all that is committed and then removes what is not any more. */
export async function startHands(machine: Host, url: string): Promise<Engine> {
  const { kube } = machine.plane;
  const clone = join(machine.folder, 'clone');
  const git = (...args: string[]) => promisify(execFile)('git', args, { env: gitEnvironment });
  await git('clone', '-q', url, clone);
  return {
    programs: [],
    async synced(commit) {
      await git('-C', clone, 'fetch', '-q');
      await git('-C', clone, 'checkout', '-q', commit);
      const planned = plannedIn(clone);
      await applyInOrder(kube, inWaves(planned));
      const wanted = new Set(planned.objects.map(nameOf));
      const left = (await ownObjects(kube)).filter((object) => !wanted.has(nameOf(object)));
      for (const object of left) await removed(kube, object);
    },
    complaint: async () => '',
    turn: async () => {},
    // Nothing is applied until somebody asks.
    suspend: async () => {},
    resume: async () => {},
    stop: async () => {},
  };
}
