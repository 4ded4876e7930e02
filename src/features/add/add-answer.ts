import * as z from 'zod';
import { type Answer, answeredState, apiVersion } from '../../text/answer.ts';
import { sanitize } from '../../text/print/escape.ts';

/** The output of `leasehold add … -o json`. */
export const additionSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Addition'),
    ...answeredState,
    declared: z.enum(['Lease', 'Service', 'Reservation', 'Promise']),
    name: z
      .string()
      .describe(
        'owner/dseq/gseq/oseq of a lease, owner/endpoint of a promise, else namespace/name.',
      ),
    state: z
      .enum(['added', 'extended', 'present'])
      .describe(
        'extended: a port was added to the file of the lease; present: it was declared already.',
      ),
    file: z.string().describe('The file of the declaration.'),
    addresses: z
      .array(z.string())
      .describe('The addresses that leasehold synth gives it in this tree, IPv4 first.'),
  })
  .describe('The output of leasehold add -o json.');

export type AddAnswer = Answer<typeof additionSchema>;

/** The file of the declaration, the addresses that it will get, and the next steps. */
export function addText({ state, file, declared, name, addresses }: AddAnswer): string {
  const what = `${declared} ${name}`;
  const lines = [
    state === 'present'
      ? `${what} is already declared in ${file}; nothing to write`
      : `${state === 'added' ? 'wrote' : 'added a port to'} ${file}`,
    `synth gives it ${addresses.join(' and ')}`,
    '',
    'next:',
    '  npx --no leasehold synth',
    '  npx --no leasehold plan',
    '  git add -A',
    `  git commit -m "${declared === 'Promise' ? 'Promise' : 'Lease'} an address for ${name}"`,
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}
