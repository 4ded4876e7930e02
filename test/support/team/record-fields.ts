/** What the record of an address and that of a hostname say alike. */
export interface RecordFields {
  readonly file: string;
  readonly holder: string;
  readonly since: string;
  readonly retain: number;
  readonly keepUntil: string | undefined;
  readonly releasedOn: string | undefined;
  readonly freeFrom: string | undefined;
}

/** Reads what all records say. */
export function recordFieldsOf(file: string, text: string): RecordFields {
  return {
    file,
    holder: fieldOf(text, 'holder') ?? '',
    since: fieldOf(text, 'since') ?? '',
    retain: Number(fieldOf(text, 'retain')),
    keepUntil: fieldOf(text, 'keepUntil'),
    releasedOn: fieldOf(text, 'on'),
    freeFrom: fieldOf(text, 'freeFrom'),
  };
}

/** A field of a record; undefined when it has none. */
export function fieldOf(text: string, name: string): string | undefined {
  return text.match(new RegExp(`^ *${name}: '?(.*?)'?$`, 'm'))?.[1];
}
