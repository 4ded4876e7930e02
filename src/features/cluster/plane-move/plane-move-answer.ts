import * as z from 'zod';
import { type Answer, answeredState, apiVersion } from '../../../core/text/answer.ts';

/** The output of `leasehold migrate-plane -o json`. */
export const planeMoveSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('PlaneMove'),
    ...answeredState,
    cluster: z.string().describe("The cluster's name."),
    to: z.enum(['metallb', 'cilium']).describe('The data plane after the move.'),
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
    after: z.array(z.string()).describe('The commands that end the move, once all is applied.'),
    edited: z.array(z.string()).describe('leases/pools.yaml, when it was changed.'),
  })
  .describe('The output of leasehold migrate-plane -o json.');

export type PlaneMove = Answer<typeof planeMoveSchema>;
