import { formatRange } from '../../../src/core/net/range.ts';
import type { NetBoxChoice } from '../../../src/features/import/netbox/netbox-choice.ts';
import { readNetBox } from '../../../src/features/import/netbox/netbox-source.ts';
import { importFiles, toldOf } from './import-outcome.ts';

/** All that NetBox has. */
export const everything: NetBoxChoice = {
  statuses: [],
  tags: [],
  roles: [],
  vrf: undefined,
  zoneField: undefined,
  givenField: undefined,
  per: 'prefix',
};

/** What a test says of an object. */
type Words = Readonly<Record<string, unknown>>;

/** An object as NetBox's REST API has it. */
export function json(words: Words): Words {
  return {
    status: { value: 'active', label: 'Active' },
    vrf: null,
    role: null,
    tags: [],
    description: '',
    custom_fields: {},
    ...words,
  };
}

/** A page of answers of NetBox's REST API. */
export function page(...objects: readonly Words[]): string {
  const results = objects.map((words, index) => JSON.stringify(json({ id: index + 1, ...words })));
  return `{"count": ${objects.length}, "next": null, "results": [\n${results.join(',\n')}\n]}`;
}

/** What is read of files when everything is chosen but for what a test says. */
export function reading(choice: Partial<NetBoxChoice>, files: Readonly<Record<string, string>>) {
  const outcome = readNetBox(importFiles(files), { ...everything, ...choice });
  const reserved = outcome.ok
    ? outcome.value.pools.flatMap(({ reserved: list }) =>
        (list ?? []).map(({ range, why }) => `${formatRange(range)} ${why}`),
      )
    : [];
  const zones = outcome.ok ? outcome.value.pools.map(({ zone }) => zone) : [];
  return { ...toldOf(outcome), reserved, zones };
}
