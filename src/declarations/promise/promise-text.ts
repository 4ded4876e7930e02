import { Document } from 'yaml';

/** A promise to write; a missing field keeps its default. */
export interface WrittenPromise {
  readonly kind: 'Promise';
  readonly owner: string;
  readonly endpoint: string;
  /** The last day. */
  readonly until: string;
  readonly cluster?: string | undefined;
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: string | undefined;
}

/** The text of a declaration of a promise. */
export function newPromiseText({ kind, ...fields }: WrittenPromise): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const spec = Object.fromEntries(given);
  const document = new Document({ apiVersion: 'leasehold.dev/v1', kind, spec });
  return document.toString({ lineWidth: 0, singleQuote: true });
}
