import {
  fail,
  type Outcome,
  ok,
  okUnless,
  type Position,
  type Problem,
} from '../../core/model/problem.ts';
import { readText } from '../../core/text/yaml/yaml-text.ts';

/** One field of a CSV file. */
interface CsvField {
  readonly text: string;
  /** Where it starts, at its quote when it has one. */
  readonly at: Position;
}

/** A CSV file with a header line. */
export interface CsvTable {
  readonly headers: readonly CsvField[];
  /** Each with as many fields as the headers. */
  readonly records: readonly (readonly CsvField[])[];
}

/** Delimiters: NetBox writes commas, German and French spreadsheets write semicolons. */
const delimiters = [',', ';', '\t'] as const;

/**
 * Reads CSV (RFC 4180) with the place of every field. Quoted fields can contain delimiters, line
 * breaks and doubled quotes. CRLF is read as LF, and empty lines are ignored. The delimiter is the
 * most frequent one in the first line. Problems: those of {@link readText}, and CSV_SYNTAX for an
 * unclosed or misplaced quote and for a record with more or fewer fields than the header.
 */
export function readCsv(file: string, bytes: Uint8Array, mostBytes: number): Outcome<CsvTable> {
  const read = readText(file, bytes, { mostBytes });
  if (!read.ok) return read;
  const text = read.value.replaceAll('\r\n', '\n');
  const lines = new Reader(file, text, delimiterOf(text)).records();
  if (!lines.ok) return lines;
  const [headers = [], ...records] = lines.value;
  const problems = records.flatMap((record): Problem[] => {
    if (record.length === headers.length) return [];
    const message = `the record has ${record.length} fields, expected ${headers.length} as in the header`;
    return [syntax(message, record[0]?.at ?? { file, line: 1, column: 1 })];
  });
  return okUnless(problems, { headers, records });
}

function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const plain = first.replace(/"[^"]*"/g, '');
  const counts = delimiters.map((one) => plain.split(one).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

function syntax(message: string, at: Position): Problem {
  const hint = 'export it again, or quote the field and double the quotes in it';
  return { code: 'CSV_SYNTAX', message, at, hint };
}

class Reader {
  readonly #file: string;
  readonly #text: string;
  readonly #delimiter: string;
  #offset = 0;
  #line = 1;
  #lineStart = 0;

  constructor(file: string, text: string, delimiter: string) {
    this.#file = file;
    this.#text = text;
    this.#delimiter = delimiter;
  }

  records(): Outcome<readonly (readonly CsvField[])[]> {
    const records: CsvField[][] = [];
    while (this.#offset < this.#text.length) {
      if (this.#text[this.#offset] === '\n') {
        this.#skipLineEnd();
        continue;
      }
      const record: CsvField[] = [];
      for (;;) {
        const field = this.#text[this.#offset] === '"' ? this.#quoted() : this.#plain();
        if (!field.ok) return field;
        record.push(field.value);
        if (this.#text[this.#offset] !== this.#delimiter) break;
        this.#offset += 1;
      }
      this.#skipLineEnd();
      records.push(record);
    }
    return ok(records);
  }

  #skipLineEnd(): void {
    this.#offset += 1;
    this.#line += 1;
    this.#lineStart = this.#offset;
  }

  #here(): Position {
    return { file: this.#file, line: this.#line, column: this.#offset - this.#lineStart + 1 };
  }

  #plain(): Outcome<CsvField> {
    const at = this.#here();
    const start = this.#offset;
    for (; this.#offset < this.#text.length; this.#offset += 1) {
      const character = this.#text[this.#offset];
      if (character === '"')
        return failed('a quote is inside a field that is not quoted', this.#here());
      if (character === this.#delimiter || character === '\n') break;
    }
    return ok({ text: this.#text.slice(start, this.#offset), at });
  }

  #quoted(): Outcome<CsvField> {
    const at = this.#here();
    let text = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#offset + 1);
      if (end < 0) return failed('the quote is not closed', at);
      text += this.#text.slice(this.#offset + 1, end);
      this.#offset = end + 1;
      if (this.#text[this.#offset] !== '"') break;
      text += '"';
    }
    const last = text.lastIndexOf('\n');
    if (last >= 0) {
      this.#line += text.split('\n').length - 1;
      this.#lineStart = this.#text.lastIndexOf('\n', this.#offset - 1) + 1;
    }
    const next = this.#text[this.#offset];
    if (next !== undefined && next !== '\n' && next !== this.#delimiter) {
      return failed('there is text after the closing quote', this.#here());
    }
    return ok({ text, at });
  }
}

function failed(message: string, at: Position): Outcome<never> {
  return fail([syntax(message, at)]);
}
