import * as z from 'zod';
import { type Answer, answeredState, apiVersion } from '../../../core/text/answer.ts';

/** The output of `leasehold migrate-plane -o json`. */
export const planeMoveSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('PlaneMove'),
    ...answeredState,
    cluster: z.string().describe("The cluster's name."),
    ready: z.boolean().describe('True when all steps are ok.'),
    steps: z
      .array(
        z.strictObject({
          state: z
            .enum(['ok', 'do', 'refused'])
            .describe('do: run the commands. refused: no command mends it.'),
          text: z.string().describe('What must be true before the change is applied.'),
          commands: z.array(z.string()),
        }),
      )
      .describe('In the order in which they are done. Empty once leases/pools.yaml is changed.'),
    start: z
      .string()
      .optional()
      .describe("The command that starts Cilium's operator again, once all is applied."),
    edited: z.array(z.string()).describe('leases/pools.yaml, when it was changed.'),
  })
  .describe('The output of leasehold migrate-plane -o json.');

export type PlaneMove = Answer<typeof planeMoveSchema>;
