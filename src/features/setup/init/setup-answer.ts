import * as z from 'zod';
import { type Run, runFields } from '../../../core/run/synth/run-answer.ts';
import { type Answer, apiVersion } from '../../../core/text/answer.ts';
import type { SetupFile } from './setup.ts';
import { diffText } from './setup-text.ts';

const file = z.strictObject({
  path: z.string(),
  state: z
    .enum(['new', 'same', 'kept', 'differs', 'replaced', 'completed', 'old'])
    .describe(
      'new and replaced: written. completed: written, with an answer that it lacked. same: has these bytes already. kept: not asked for. differs: has other content, and is kept. old: engine objects of an earlier set-up, still applied in their cluster.',
    ),
  diff: z
    .string()
    .exactOptional()
    .describe('With differs: the changes that init --replace makes, as a unified diff.'),
});

/** The output of `leasehold init -o json`. */
export const setupSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Setup'),
    ...runFields,
    files: z.array(file).describe('The files of the set-up, by path.'),
    next: z.array(z.string()).describe('The next steps: commands, and settings of the forge.'),
  })
  .describe('The output of leasehold init -o json.');

export type Setup = Answer<typeof setupSchema>;

/** The answer for the files of a set-up, its next steps and the counts of its run. */
export function setupOf(
  files: readonly SetupFile[],
  next: readonly string[],
  run: Omit<Run, 'apiVersion' | 'kind'>,
): Setup {
  return {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'Setup', ...run },
    files: files.map((one) => {
      const { path, state } = one;
      return { path, state, ...(state === 'differs' ? { diff: diffText(one) } : {}) };
    }),
    next,
  };
}
