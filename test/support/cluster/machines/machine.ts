import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { Keeper } from './keeper.ts';
import { type Metallb, type MetallbVersion, startMetallb } from './metallb.ts';

/** A cluster without nodes: API server, controllers, MetalLB. */
export interface Machine {
  readonly plane: ControlPlane;
  readonly metallb: Metallb;
  readonly keeper: Keeper;
  /** For files of programs that run beside it. */
  readonly folder: string;
  /** Ends its programs; all that the cluster knew is lost. */
  stop(): Promise<void>;
}

/** A keeper with a temporary folder of its own. */
export function temporaryKeeper(): Keeper {
  return new Keeper(mkdtempSync(join(tmpdir(), 'leasehold-cluster-')));
}

/** Starts an empty cluster with MetalLB in one version and waits until its webhooks answer. */
export async function startMachine(keeper: Keeper, version: MetallbVersion): Promise<Machine> {
  const folder = mkdtempSync(join(keeper.folder, 'machine-'));
  const plane = await startControlPlane(keeper, join(folder, 'plane'));
  const metallb = await startMetallb({ keeper, plane, folder: join(folder, 'metallb'), version });
  const stop = async (): Promise<void> => {
    await metallb.stop();
    await plane.stop();
  };
  return { plane, metallb, keeper, folder, stop };
}
