import { InternalError, type Position } from '../../model/problem.ts';
import { valueAt } from '../message-text.ts';
import type { YamlDocument } from './document.ts';
import { type FormedText, formPartAt, PlainForms } from './plain-form.ts';
import { type PlainPlaces, type PlainYaml, plainPlaces, readPlainYaml } from './plain-yaml.ts';
import { isPlainText, placesIn } from './yaml-text.ts';

/** The forms of all files of this process: most of a repository have one of a few. */
const forms = new PlainForms();

/** Reads a plain text; undefined when `yaml` must read it. */
export function readPlainDocument(
  file: string,
  text: string,
  known = forms,
): YamlDocument | undefined {
  if (!isPlainText(text)) return undefined;
  const formed = known.read(text);
  if (formed) return new FormedDocument(file, text, formed);
  const plain = readPlainYaml(text);
  return plain && plainDocument(file, text, plain);
}

/** A field of the mapping of a document; undefined if there is none. */
export function fieldValue(document: YamlDocument, field: string): unknown {
  if (!document.formed) return valueAt(document.value, [field]);
  const { form, scalars } = document.formed;
  const part = form.root.entries.get(field);
  return typeof part === 'number' ? scalars[part] : valueAt(document.value, [field]);
}

/** A document that was read by its form. Its data and most places are made when asked for. */
class FormedDocument implements YamlDocument {
  readonly file: string;
  readonly nonCanonicalNumbers = [];
  readonly formed: FormedText;
  readonly #text: string;
  #plain: YamlDocument | undefined;

  constructor(file: string, text: string, formed: FormedText) {
    this.file = file;
    this.formed = formed;
    this.#text = text;
  }

  get value(): unknown {
    return this.#asPlain().value;
  }

  // Arrow functions: callers take them out of the document.
  readonly at = (path: readonly PropertyKey[]): Position => {
    const part = formPartAt(this.formed.form, path);
    if (typeof part !== 'object' || part.kind !== 'map' || !part.at)
      return this.#asPlain().at(path);
    const { line, column } = part.at;
    return { file: this.file, line, column };
  };

  readonly keyAt = (path: readonly PropertyKey[]): Position => this.#asPlain().keyAt(path);

  #asPlain(): YamlDocument {
    if (this.#plain) return this.#plain;
    const plain = readPlainYaml(this.#text);
    if (!plain) throw new InternalError(`${this.file} has a plain form, and is not plain`);
    this.#plain = plainDocument(this.file, this.#text, plain);
    return this.#plain;
  }
}

/** The places of mappings are known. For any other place the text is read again. */
function plainDocument(file: string, text: string, { value, starts }: PlainYaml): YamlDocument {
  const placeOf = placesIn(file, text);
  let read: PlainPlaces | undefined;
  const places = (): PlainPlaces => {
    read ??= plainPlaces(text);
    if (!read) throw new InternalError(`${file} is plain YAML, and is not read again`);
    return read;
  };
  return {
    file,
    value,
    nonCanonicalNumbers: [],
    at: (path) => placeOf(starts.get(partAt(value, path)) ?? places().at(path)),
    keyAt: (path) => placeOf(places().keyAt(path)),
  };
}

function partAt(value: unknown, path: readonly PropertyKey[]): object {
  const part = path.reduce<unknown>(
    (parent, step) => (parent as Record<PropertyKey, unknown> | undefined)?.[step],
    value,
  );
  return Object(part);
}
