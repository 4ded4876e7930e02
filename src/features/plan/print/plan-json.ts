import { plainJson } from '../../../text/print/plain.ts';
import type { Plan } from '../plan-answer.ts';

/** A plan as JSON, two spaces deep, ending in a line break: docs/schemas/plan.schema.json. */
export function planJson(plan: Plan): string {
  return plainJson(plan);
}
