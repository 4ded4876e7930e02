import type { NetBox, NetBoxFields } from '../../../src/features/export/netbox/netbox.ts';

/** An answer of the REST API. */
export interface ModelAnswer {
  readonly status: number;
  readonly value?: unknown;
}

/** An object with its id. */
export type ModelObject = Record<string, unknown> & { id: number };

/** The object types of the lists with addresses. */
const types: Readonly<Record<string, string>> = {
  'ipam/ip-addresses': 'ipam.ipaddress',
  'ipam/prefixes': 'ipam.prefix',
  'ipam/ip-ranges': 'ipam.iprange',
};

const statuses = ['active', 'reserved', 'deprecated'];

/**
 * The part of NetBox's REST API that an export uses, by its rules: tags and custom fields exist
 * before they are used, an address is unique in a VRF, ranges do not overlap, `nat_inside` is an
 * existing address, a request writes all of its objects or none.
 */
export class ModelNetBox {
  readonly lists = new Map<string, ModelObject[]>();
  readonly url = 'https://netbox.example.com';
  /** Every write that was done, in order. */
  readonly written: string[] = [];
  #nextId = 1;

  constructor() {
    const lists = [...Object.keys(types), 'extras/tags', 'extras/custom-fields'];
    for (const list of [...lists, 'ipam/vrfs', 'tenancy/tenants']) this.lists.set(list, []);
  }

  /** Adds an object as a user of the pages does. */
  add(list: string, fields: NetBoxFields): ModelObject {
    const object = { ...fields, id: this.#nextId };
    this.#nextId += 1;
    this.#of(list).push(object);
    return object;
  }

  /** One page of a list. */
  get(list: string, query: URLSearchParams): ModelAnswer {
    const slugs = this.#of('extras/tags').map(({ slug }) => slug);
    const unknown = query.getAll('tag').find((slug) => !slugs.includes(slug));
    if (unknown !== undefined) {
      const reason = `Select a valid choice. ${unknown} is not one of the available choices.`;
      return { status: 400, value: { tag: [reason] } };
    }
    const found = this.#of(list)
      .filter((object) => passes(object, query))
      .toSorted((left, right) => left.id - right.id);
    const offset = Number(query.get('offset') ?? 0);
    const page = found.slice(offset, offset + Number(query.get('limit') ?? 50));
    const results = page.map((object) => this.#shown(list, object));
    return { status: 200, value: { count: found.length, next: null, previous: null, results } };
  }

  /** Creates, changes or deletes objects. */
  write(method: string, list: string, bodies: readonly NetBoxFields[]): ModelAnswer {
    const before = structuredClone(this.#of(list));
    const ids: unknown[] = [];
    const answers = bodies.map((body) => {
      const refusal = this.#writeOne(method, list, body);
      ids.push(body.id ?? this.#of(list).at(-1)?.id);
      return refusal;
    });
    const refused = answers.filter((answer) => answer !== undefined);
    if (refused.length > 0) {
      this.lists.set(list, before);
      const value = method === 'POST' ? answers.map((answer) => answer ?? {}) : refused[0];
      return { status: 400, value };
    }
    for (const _ of bodies) this.written.push(`${method} ${list}`);
    const value = ids.flatMap((id) => this.#of(list).filter((object) => object.id === id));
    return {
      status: method === 'POST' ? 201 : 200,
      value: value.map((object) => this.#shown(list, object)),
    };
  }

  /** Why an object is refused, by field; undefined when it is written. */
  #writeOne(method: string, list: string, body: NetBoxFields): object | undefined {
    const objects = this.#of(list);
    const index = objects.findIndex(({ id }) => id === body.id);
    if (method === 'DELETE') {
      if (index >= 0) objects.splice(index, 1);
      for (const one of objects) if (one.nat_inside === body.id) one.nat_inside = null;
      return undefined;
    }
    if (method === 'PATCH' && index < 0) return undefined;
    const old = objects[index] ?? { id: this.#nextId, custom_fields: {} };
    const custom = { ...Object(old.custom_fields), ...Object(body.custom_fields) };
    const object: ModelObject = { ...old, ...body, id: old.id, custom_fields: custom };
    const refusal = this.#refusal(list, object);
    if (refusal) return refusal;
    if (index >= 0) objects[index] = object;
    else this.add(list, object);
    return undefined;
  }

  #refusal(list: string, object: ModelObject): object | undefined {
    const type = types[list];
    if (type === undefined) return undefined;
    const { description = '', status = 'active', tags = [] } = object;
    if (String(description).length > 200) {
      return { description: ['Ensure this field has no more than 200 characters.'] };
    }
    if (!statuses.includes(String(status))) return { status: [`${status} is not a valid choice.`] };
    const slugs = this.#of('extras/tags').map(({ slug }) => slug);
    if ((tags as { slug: string }[]).some(({ slug }) => !slugs.includes(slug))) {
      return { tags: ['Related object not found using the provided attributes'] };
    }
    const names = this.#customFields(type);
    const unknown = Object.keys(Object(object.custom_fields)).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      const reason = `Custom field '${unknown}' does not exist for this object type.`;
      return { custom_fields: { [unknown]: [reason] } };
    }
    const { nat_inside: inside = null } = object;
    const isFound = inside === null || this.#of(list).some(({ id }) => id === inside);
    if (!isFound || inside === object.id) {
      const reason = `Related object not found using the provided numeric ID: ${inside}`;
      return { nat_inside: [reason] };
    }
    const others = this.#of(list).filter(
      ({ id, vrf }) => id !== object.id && (vrf ?? null) === (object.vrf ?? null),
    );
    return overlapOf(list, object, others);
  }

  #customFields(type: string): readonly string[] {
    return this.#of('extras/custom-fields')
      .filter(({ object_types }) => (object_types as string[]).includes(type))
      .map(({ name }) => String(name));
  }

  #of(list: string): ModelObject[] {
    const objects = this.lists.get(list);
    if (!objects) throw new Error(`the model has no list ${list}`);
    return objects;
  }

  /** An object as the API answers it. */
  #shown(list: string, object: ModelObject): object {
    const url = `${this.url}/api/${list}/${object.id}/`;
    const display_url = `${this.url}/${list}/${object.id}/`;
    if (list === 'extras/custom-fields') {
      return { ...object, url, type: { value: object.type, label: String(object.type) } };
    }
    const type = types[list];
    if (type === undefined) return { ...object, url, display: object.name };
    const unset = Object.fromEntries(this.#customFields(type).map((name) => [name, null]));
    const { vrf, tenant, status = 'active', description = '', tags = [] } = object;
    return {
      ...object,
      ...{ url, display_url, description, tags },
      ...(list === 'ipam/prefixes' ? { is_pool: object.is_pool ?? false } : {}),
      vrf: this.#related('ipam/vrfs', vrf),
      tenant: this.#related('tenancy/tenants', tenant),
      ...(list === 'ipam/ip-addresses'
        ? { nat_inside: this.#related(list, object.nat_inside) }
        : {}),
      status: { value: status, label: String(status) },
      custom_fields: { ...unset, ...Object(object.custom_fields) },
    };
  }

  #related(list: string, id: unknown): object | null {
    const found = this.#of(list).find((one) => one.id === id);
    return found ? { id: found.id, display: found.name ?? found.address } : null;
  }
}

function passes(object: ModelObject, query: URLSearchParams): boolean {
  const has = (name: string, values: readonly string[]) => {
    const asked = query.getAll(name);
    return asked.length === 0 || asked.some((value) => values.includes(value));
  };
  const tags = ((object.tags ?? []) as { slug: string }[]).map(({ slug }) => slug);
  const host = String(object.address ?? '').replace(/\/\d+$/, '');
  return (
    has('tag', tags) &&
    has('name', [String(object.name)]) &&
    has('slug', [String(object.slug)]) &&
    has('prefix', [String(object.prefix)]) &&
    has('address', [host])
  );
}

/** Only for ranges that differ in nothing but their last group. */
function lastGroups({ start_address, end_address }: ModelObject): readonly [number, number] {
  const last = (text: unknown) =>
    Number.parseInt(/([0-9a-f]*)\/\d+$/.exec(String(text))?.[1] || '0', 16);
  return [last(start_address), last(end_address)];
}

function netOf({ start_address }: ModelObject): string {
  return String(start_address).replace(/[0-9a-f]*\/\d+$/, '');
}

function overlapOf(
  list: string,
  object: ModelObject,
  others: readonly ModelObject[],
): object | undefined {
  const host = (one: ModelObject) => String(one.address).replace(/\/\d+$/, '');
  if (list === 'ipam/ip-addresses' && others.some((one) => host(one) === host(object))) {
    return { address: [`Duplicate IP address found in global table: ${object.address}`] };
  }
  if (list === 'ipam/prefixes' && others.some((one) => one.prefix === object.prefix)) {
    return { prefix: [`Duplicate prefix found in global table: ${object.prefix}`] };
  }
  if (list !== 'ipam/ip-ranges') return undefined;
  const [from, to] = lastGroups(object);
  const other = others.find((one) => {
    const [first, last] = lastGroups(one);
    return netOf(one) === netOf(object) && first <= to && from <= last;
  });
  return other && { __all__: [`Defined addresses overlap with range ${other.start_address}`] };
}

/** The model, called without a network. */
export function modelPort(model: ModelNetBox): NetBox {
  return {
    address: `${model.url}/api`,
    async list(list, filters) {
      const query = new URLSearchParams(filters as [string, string][]);
      query.set('limit', '1000000');
      const { status, value } = model.get(list, query);
      if (status !== 200) throw new Error(JSON.stringify(value));
      return (value as { results: NetBoxFields[] }).results;
    },
    async write({ method, list, objects }) {
      const { status, value } = model.write(method, list, structuredClone(objects));
      return status < 400
        ? { objects: value as NetBoxFields[] }
        : { refused: JSON.stringify(value) };
    },
  };
}
