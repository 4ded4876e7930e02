/** The fields of an object of NetBox's REST API; untrusted when they are read. */
export type NetBoxFields = Readonly<Record<string, unknown>>;

/** One request that writes objects of one list. */
export interface NetBoxWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the API, such as `ipam/prefixes`. */
  readonly list: string;
  /** New objects; for PATCH the changed fields and `id`, for DELETE `id`. */
  readonly objects: readonly NetBoxFields[];
}

/** The objects of a write as NetBox has them now, in their order, or its reason to refuse all. */
type NetBoxAnswer = { readonly objects: readonly NetBoxFields[] } | { readonly refused: string };

/**
 * The REST API of a NetBox. Both methods wait out rate limits and short outages. They throw an
 * EnvironmentError with a hint when NetBox cannot be reached, refuses the token, or does not answer
 * as NetBox does.
 */
export interface NetBox {
  /** The address of its API, without credentials. */
  readonly address: string;
  /** The objects of a list that pass the filters, of all pages. */
  list(
    list: string,
    filters: readonly (readonly [name: string, value: string])[],
  ): Promise<readonly NetBoxFields[]>;
  /** Writes all of the objects, or none. */
  write(request: NetBoxWrite): Promise<NetBoxAnswer>;
}
