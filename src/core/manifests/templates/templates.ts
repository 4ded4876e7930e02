import { type Example, FileTemplate, type FilledFile, type Words } from './file-template.ts';

/** Files of a shape to render before a template is made: it costs as much as several files. */
const rendersFirst = 8;

/** A repository of many shapes gains nothing from templates. */
const mostShapes = 1000;

/** Something that a file is rendered from, in parts. */
export interface Shaped {
  /** Everything that the file depends on, besides the words. */
  readonly shape: string;
  readonly words: Words;
}

/**
 * Templates by the shape of files. Most files differ from others in a few words only, which is
 * cheaper to fill in than to render and to check. test/property/templates.test.ts tests that both
 * give the same bytes.
 */
export class Templates {
  readonly #known = new Map<string, { seen: number; template: FileTemplate | undefined }>();

  /**
   * Returns the file of a shape with these words; undefined when it must be rendered. `example`
   * renders a file of the shape from other words: see {@link FileTemplate.of}.
   */
  fill(
    { shape, words }: Shaped,
    example: (number: 1 | 2) => Example | undefined,
  ): FilledFile | undefined {
    let known = this.#known.get(shape);
    if (!known) {
      if (this.#known.size >= mostShapes) return undefined;
      known = { seen: 0, template: undefined };
      this.#known.set(shape, known);
    }
    known.seen += 1;
    if (known.seen <= rendersFirst) return undefined;
    if (known.seen === rendersFirst + 1) {
      const [first, second] = [example(1), example(2)];
      known.template = first && second && FileTemplate.of(first, second);
    }
    return known.template?.fill(words);
  }
}
