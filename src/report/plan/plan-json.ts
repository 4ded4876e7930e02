import type { Plan } from '../../model/plan.ts';
import { plainJson } from '../plain.ts';

/** A plan as JSON, two spaces deep, ending in a line break: docs/schemas/plan.schema.json. */
export function planJson(plan: Plan): string {
  return plainJson(plan);
}
