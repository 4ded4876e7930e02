import * as z from 'zod';
import { type Answer, answeredState, apiVersion } from '../../core/text/answer.ts';

const renamed = z.strictObject({
  from: z.string().describe('The former holder.'),
  to: z.string().describe('The holder that has its addresses now.'),
  addresses: z.array(z.string()).describe('The addresses that stay, IPv4 first.'),
  hostnames: z.array(z.string()).describe('The hostnames that stay, by name.'),
});

/** The output of `leasehold rename -o json`. */
export const renamingSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Renaming'),
    ...answeredState,
    renamed: z.array(renamed).describe('By the former holder.'),
    edited: z.array(z.string()).describe('Declarations with another name.'),
    removed: z
      .array(z.string())
      .exactOptional()
      .describe('The files of renames that this one takes back.'),
    file: z
      .string()
      .exactOptional()
      .describe('The new file with the Rename; absent when none of them has an address.'),
  })
  .describe('The output of leasehold rename -o json.');

export type Renaming = Answer<typeof renamingSchema>;

/** The renamed holders with their addresses, and the files. */
export function renamingText({ renamed, edited, removed = [], file }: Renaming): string {
  const lines = [
    ...renamed.map(({ from, to, addresses, hostnames }) => {
      const kept = [...addresses, ...hostnames];
      const what = kept.length > 0 ? `keeps ${kept.join(', ')}` : 'has no address yet';
      return `${from} -> ${to}  ${what}`;
    }),
    ...edited.map((file) => `edited ${file}`),
    ...removed.map((file) => `removed ${file}: that rename is taken back`),
    ...(file === undefined
      ? []
      : [
          `wrote ${file}: commit it with the rest; \`leasehold prune\` removes it once that is merged`,
        ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
