import { type LiveObject, objectName } from '../model/live.ts';
import { textAt } from '../model/live-field.ts';
import type { ClusterFinding } from '../model/verification.ts';

/**
 * A finding for each component of MetalLB that refuses its configuration: it goes on with the last one it
 * took. MetalLB 0.15.3 and later: ConfigurationState, one for the controller and one for each speaker.
 */
export function refusedConfigurations(states: readonly LiveObject[]): ClusterFinding[] {
  return states
    .filter((state) => textAt(state, 'status', 'result') === 'Invalid')
    .map((state) => ({
      object: objectName('configurationState', state),
      message: `MetalLB refuses its configuration, and goes on with the last one it took: ${errorOf(state)}`,
      hint: 'MetalLB reads all of its objects together: correct or delete the one that it names',
    }));
}

function errorOf(state: LiveObject): string {
  return textAt(state, 'status', 'errorSummary')?.trim() || 'it does not say why';
}
