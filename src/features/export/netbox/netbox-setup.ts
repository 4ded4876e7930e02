import type { NetBox, NetBoxFields } from './netbox.ts';
import type { NetBoxProblem } from './netbox-export-answer.ts';

const everyType = ['ipam.prefix', 'ipam.iprange', 'ipam.ipaddress'];
const addressType = ['ipam.ipaddress'];

/** The custom fields of an export. */
const customFields = [
  { name: 'leasehold_holder', label: 'Holder', type: 'text', object_types: addressType },
  { name: 'leasehold_owner', label: 'Owner', type: 'text', object_types: addressType },
  { name: 'leasehold_zone', label: 'Zone', type: 'text', object_types: everyType },
  { name: 'leasehold_pool', label: 'Pool', type: 'text', object_types: everyType },
  { name: 'leasehold_since', label: 'Held since', type: 'date', object_types: addressType },
  { name: 'leasehold_commit', label: 'Commit', type: 'text', object_types: addressType },
] as const;

/** A tag or a custom field that NetBox lacks, and how it is created. */
interface MissingObject {
  readonly object: 'tag' | 'custom field';
  readonly name: string;
  readonly list: string;
  readonly body: NetBoxFields;
}

/** The missing tag and custom fields, and those of another form. */
export interface NetBoxSetup {
  readonly missing: readonly MissingObject[];
  readonly problems: readonly NetBoxProblem[];
}

/** Reads which tag and custom fields NetBox lacks. A problem for a custom field of another form. */
export async function readSetup(netbox: NetBox, tag: string): Promise<NetBoxSetup> {
  const tags = await netbox.list('extras/tags', [['slug', tag]]);
  const fields = await netbox.list(
    'extras/custom-fields',
    customFields.map(({ name }) => ['name', name] as const),
  );
  const byName = new Map(fields.map((field) => [field.name, field]));
  const lacking = customFields.filter(({ name }) => !byName.has(name));
  return {
    missing: [...(tags.length === 0 ? [missingTag(tag)] : []), ...lacking.map(missingField)],
    problems: customFields.flatMap((wanted) => fieldProblem(wanted, byName.get(wanted.name)) ?? []),
  };
}

function missingTag(slug: string): MissingObject {
  const description = 'Marks the objects that leasehold export writes.';
  const body = { name: slug, slug, description };
  return { object: 'tag', name: slug, list: 'extras/tags', body };
}

function missingField(field: (typeof customFields)[number]): MissingObject {
  const body = { ...field, group_name: 'leasehold', ui_editable: 'no' };
  return { object: 'custom field', name: field.name, list: 'extras/custom-fields', body };
}

function fieldProblem(
  { name, type, object_types }: (typeof customFields)[number],
  found: NetBoxFields | undefined,
): NetBoxProblem | undefined {
  if (!found) return undefined;
  const types = Array.isArray(found.object_types) ? found.object_types : [];
  const lacking = object_types.filter((one) => !types.includes(one));
  if (Object(found.type).value === type && lacking.length === 0) return undefined;
  return {
    reason: `the custom field ${name} of NetBox must have the type ${type} and the object types ${object_types.join(', ')}`,
  };
}
