import * as z from 'zod';
import { type Answer, answeredState, apiVersion } from '../../core/text/answer.ts';
import { sanitize, shellWord } from '../../core/text/print/escape.ts';
import { additionStates } from '../../lib/edit/declaration-edit.ts';

/** The output of `leasehold add … -o json`. */
export const additionSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Addition'),
    ...answeredState,
    declared: z.enum(['Lease', 'Service', 'Reservation', 'Promise', 'Hostname']),
    name: z
      .string()
      .describe(
        'owner/dseq/gseq/oseq of a lease, owner/endpoint of a promise, the hostname, else namespace/name.',
      ),
    state: z
      .enum(additionStates)
      .describe(
        'extended: a port was added to the file of the lease; present: it was declared already.',
      ),
    file: z.string().describe('The file of the declaration.'),
    addresses: z
      .array(z.string())
      .describe('The addresses that leasehold synth gives it in this tree, IPv4 first.'),
    routedTo: z
      .string()
      .optional()
      .describe('Of a hostname: namespace/name:port of the Service that it is routed to.'),
    proofRecord: z
      .string()
      .optional()
      .describe('Of a hostname that is to be proven: the DNS record that proves it.'),
  })
  .describe('The output of leasehold add -o json.');

export type AddAnswer = Answer<typeof additionSchema>;

/**
 * The file of the declaration, the addresses that it will get, and the next steps. Without a commit
 * there is nothing that a plan could compare with.
 */
export function addText(answer: AddAnswer, hasCommit: boolean): string {
  const { state, file, declared, name, addresses, routedTo, proofRecord } = answer;
  const what = `${declared} ${name}`;
  const lines = [
    state === 'present'
      ? `${what} is already declared in ${file}; nothing to write`
      : `${state === 'added' ? 'wrote' : 'added a port to'} ${file}`,
    routedTo === undefined
      ? `synth gives it ${addresses.join(' and ')}`
      : `synth routes it to ${routedTo}`,
    '',
    'next:',
    ...(proofRecord === undefined
      ? []
      : [
          `  publish ${proofRecord}, there or at a domain above`,
          `  npx --no -- leasehold prove ${shellWord(name)}`,
        ]),
    '  npx --no -- leasehold synth',
    ...(hasCommit ? ['  npx --no -- leasehold plan'] : []),
    '  git add -A',
    `  git commit -m "${subjectOf(declared, name)}"`,
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}

function subjectOf(declared: AddAnswer['declared'], name: string): string {
  if (declared === 'Hostname') return `Route ${name}`;
  return `${declared === 'Promise' ? 'Promise' : 'Lease'} an address for ${name}`;
}
