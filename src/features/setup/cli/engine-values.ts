import { InvalidArgumentError } from '@commander-js/extra-typings';
import { labelOption } from '../../../core/cli/option-values.ts';
import { isBranchName } from '../../../core/model/repository-address.ts';

/** The name of an AppProject, except Argo CD's own, which is for other Applications. */
export function projectValue(text: string): string {
  if (text !== 'default') return labelOption(text);
  throw new InvalidArgumentError("It is Argo CD's project for all other Applications.");
}

/** The name of a branch that an engine reads. Flux substitutes text in braces after a `$`. */
export function engineBranchValue(text: string): string {
  if (isBranchName(text) && !text.includes('$')) return text;
  throw new InvalidArgumentError('It is not the name of a branch.');
}
