import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { Keeper } from './keeper.ts';
import { type Metallb, type MetallbVersion, startMetallb } from './metallb.ts';

/** A cluster without nodes: API server, controllers, MetalLB. Nothing of it outlives the test process. */
export interface Machine {
  readonly plane: ControlPlane;
  readonly metallb: Metallb;
  readonly keeper: Keeper;
  /** For files of the machine's programs; removed with it. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts a cluster with MetalLB in one version and waits until its webhooks answer. */
export async function startMachine(version: MetallbVersion): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-cluster-'));
  const keeper = new Keeper(folder);
  const stop = (): Promise<void> => keeper.close();
  try {
    const plane = await startControlPlane(keeper, join(folder, 'plane'));
    const place = { keeper, plane, folder: join(folder, 'metallb'), version };
    const metallb = await startMetallb(place);
    return { plane, metallb, keeper, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
