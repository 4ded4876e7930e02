import { stringify } from 'yaml';
import type { List } from './list-answer.ts';

/** The list as YAML 1.2, ending in a line break. */
export function listYaml(list: List): string {
  return stringify(list, { lineWidth: 0 });
}
