import { type LiveObject, objectName } from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import { textAt } from '../../../model/unstructured.ts';
import type { ClusterFinding } from '../verification-answer.ts';

/**
 * A finding for each reason for which components of MetalLB refuse their configuration: they go on with the last
 * one they took. MetalLB 0.15.3 and later: ConfigurationState, one for the controller and one for each speaker.
 */
export function refusedConfigurations(states: readonly LiveObject[]): ClusterFinding[] {
  const refused = states.filter((state) => textAt(state, 'status', 'result') === 'Invalid');
  return [...new Set(refused.map(errorOf))].map((error) => {
    const names = refused
      .filter((state) => errorOf(state) === error)
      .map((state) => objectName('configurationState', state))
      .sort(compareText);
    const others = names.length === 1 ? '' : ` (${names.length} parts of MetalLB say so)`;
    return {
      object: names[0] ?? '',
      message: `MetalLB refuses its configuration, and goes on with the last one it took: ${error}${others}`,
      hint: 'MetalLB reads all of its objects together: correct or delete the one that it names',
    };
  });
}

function errorOf(state: LiveObject): string {
  return textAt(state, 'status', 'errorSummary')?.trim() || 'it does not say why';
}
