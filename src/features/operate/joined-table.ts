import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import type { AllocationTable } from '../../model/allocation.ts';
import { succeed } from '../../records/successor.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The table in which a Service that has just joined others has brought its address along, recorded yet or not. */
export function joinedTable({
  pools,
  holders,
  table,
}: Pick<Workspace, 'pools' | 'holders' | 'table'>): AllocationTable {
  return succeed(new PoolIndex(pools), holders, table).table;
}
