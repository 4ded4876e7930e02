import * as z from 'zod';
import { counted } from '../../../core/model/problem.ts';
import { type Answer, answeredCount, answeredDay, apiVersion } from '../../../core/text/answer.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { type Column, type TableStyle, tableText } from '../../../core/text/print/table.ts';

const object = z.enum(['prefix', 'ip-range', 'ip-address']);
const addresses = z.string().describe('An address, a block, or first-last.');
const url = z.string().describe('The page of the object in NetBox.');

const difference = z.strictObject({
  field: z.string(),
  from: z.string().describe('The value in NetBox; empty without one.'),
  to: z.string(),
});

const change = z.strictObject({
  action: z.enum(['add', 'change', 'delete']),
  object,
  addresses,
  holder: z.string().exactOptional().describe('The holder of an address, if it has one.'),
  url: url.exactOptional(),
  differences: z.array(difference).describe('Of a change: the fields that differ.'),
  done: z.boolean().describe('True once NetBox has it; false in a dry run.'),
});

/** A change of an object in NetBox. */
export type NetBoxChange = Answer<typeof change>;

const problem = z.strictObject({
  addresses: addresses.exactOptional(),
  reason: z.string(),
  url: url.exactOptional(),
});

/** The reason for an export that cannot be made, or an object that cannot be written. */
export type NetBoxProblem = Answer<typeof problem>;

const missing = z.strictObject({
  object: z.enum(['tag', 'custom field']),
  name: z.string(),
  done: z.boolean().describe('True once NetBox has it.'),
});

export const netBoxExportSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('NetBoxExport'),
    day: answeredDay.describe('The day of the export.'),
    commit: z.string().describe('The commit whose records were read.'),
    netbox: z.string().describe('The address of the API.'),
    tag: z.string().describe('The slug of the tag that marks the objects.'),
    dryRun: z.boolean(),
    missing: z.array(missing).describe('The tag and the custom fields that NetBox lacks.'),
    changes: z.array(change).describe('In the order in which they are made.'),
    unchanged: answeredCount.describe('Objects that are as they should be.'),
    kept: z
      .array(z.strictObject({ object, addresses, url }))
      .describe(
        'Objects without the tag that have the addresses of a pool or a public address: they stay as they are.',
      ),
    problems: z.array(problem).describe('With a problem before the first change, none is made.'),
    failure: z
      .string()
      .exactOptional()
      .describe('The reason for an early end. The next export makes the other changes.'),
  })
  .describe('The output of leasehold export netbox -o json.');

export type NetBoxExport = Answer<typeof netBoxExportSchema>;

const columns: readonly Column<NetBoxChange>[] = [
  { name: 'ACTION', cell: ({ action }) => action },
  { name: 'OBJECT', cell: ({ object }) => object },
  { name: 'ADDRESSES', cell: ({ addresses }) => addresses },
  { name: 'HOLDER', cell: ({ holder }) => holder ?? '-' },
  { name: 'DIFFERENCES', cell: ({ differences }) => differencesText(differences), prose: 'wrap' },
];

function differencesText(differences: NetBoxChange['differences']): string {
  if (differences.length === 0) return '-';
  return differences.map(({ field, from, to }) => `${field}: ${from || '-'} → ${to}`).join('; ');
}

/** Returns a table with a line per change. */
export function netBoxExportTable({ changes }: NetBoxExport, style: TableStyle): string {
  return changes.length === 0 ? '' : tableText(columns, changes, style);
}

/** Returns the notes below the table: missing and kept objects, problems, and counts. */
export function netBoxExportNotes(answer: NetBoxExport): string {
  const { missing, kept, problems, failure } = answer;
  const lacking = missing.filter(({ done }) => !done);
  const lines = [
    ...lacking.map(({ object, name }) => `missing in NetBox: the ${object} ${name}`),
    ...(lacking.length > 0 ? ['--apply --create-missing creates what is missing'] : []),
    ...kept.map(
      ({ object, addresses, url }) => `kept: the ${object} ${addresses} without the tag, ${url}`,
    ),
    ...problems.map(
      ({ addresses, reason, url }) =>
        `problem: ${addresses === undefined ? '' : `${addresses}: `}${reason}${url === undefined ? '' : `, ${url}`}`,
    ),
    countsText(answer),
    ...(failure === undefined
      ? []
      : [
          `failed: ${failure}; run the export again: it compares anew, and makes the other changes`,
        ]),
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}

function countsText({ changes, unchanged, dryRun }: NetBoxExport): string {
  const done = changes.filter((change) => change.done);
  const left = changes.length - done.length;
  if (dryRun || done.length === 0) {
    return `${actionsText(changes)}, ${unchanged} unchanged${dryRun ? '' : '; nothing was written'}`;
  }
  const rest = left === 0 ? '' : `; ${counted(left, 'change')} left`;
  return `${actionsText(done)} done, ${unchanged} unchanged${rest}`;
}

function actionsText(changes: readonly NetBoxChange[]): string {
  const count = (action: NetBoxChange['action']) =>
    changes.filter((change) => change.action === action).length;
  return `${count('add')} to add, ${count('change')} to change, ${count('delete')} to delete`;
}
