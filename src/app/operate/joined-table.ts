import { PoolIndex } from '../../allocate/pool-index.ts';
import { succeed } from '../../allocate/successor.ts';
import type { AllocationTable } from '../../model/allocation.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The table in which a Service that has just joined others has brought its address along, recorded yet or not. */
export function joinedTable({
  pools,
  holders,
  table,
}: Pick<Workspace, 'pools' | 'holders' | 'table'>): AllocationTable {
  return succeed(new PoolIndex(pools), holders, table).table;
}
