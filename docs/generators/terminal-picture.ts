import { type Html, html } from '../../src/core/text/print/escape.ts';
import { svgFile } from './svg-file.ts';

/** Pixels. Each character has the same width in every font. */
const size = { character: 8, line: 19, font: 13, margin: 16 } as const;

/** The classes of the colours that leasehold uses, by the number in their escape sequence. */
const colours: Readonly<Record<string, string>> = {
  31: 'bad',
  32: 'good',
  33: 'warn',
  90: 'gray',
  94: 'held',
};

const style = `text { font-size: ${size.font}px; }
.bad { fill: var(--bad); } .good { fill: var(--good); } .warn { fill: var(--warn); }
.gray { fill: var(--reserved); } .held { fill: var(--held); } .dim { fill: var(--soft); } .bold { font-weight: 700; }`;

interface TextStyle {
  readonly colour: string;
  /** `bold` or `dim`. */
  readonly weight: string;
}

const plain: TextStyle = { colour: '', weight: '' };

/** Characters of one line in one style, without the spaces around them. */
interface Run extends TextStyle {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** A text with the escape sequences of `Paint`, as a terminal shows it. */
export function terminalPicture(text: string, title: string): string {
  const runs = runsOf(text.replace(/\n+$/, ''));
  const columns = runs.reduce((most, run) => Math.max(most, run.column + lengthOf(run.text)), 0);
  const lines = runs.reduce((most, { line }) => Math.max(most, line + 1), 0);
  return svgFile({
    title,
    width: 2 * size.margin + columns * size.character,
    height: 2 * size.margin + lines * size.line,
    style,
    content: runs.map(drawn),
  });
}

function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  let current = plain;
  let line = 0;
  let column = 0;
  for (const [index, part] of text.split('\u001b[').entries()) {
    const [code, rest] = index === 0 ? ['', part] : sequenceOf(part);
    current = styleAfter(current, code);
    for (const [row, piece] of rest.split('\n').entries()) {
      if (row > 0) {
        line += 1;
        column = 0;
      }
      const before = piece.length - piece.trimStart().length;
      if (piece.trim() !== '') {
        runs.push({ ...current, line, column: column + before, text: piece.trim() });
      }
      column += lengthOf(piece);
    }
  }
  return runs;
}

/** The number of an escape sequence, and the text after it. */
function sequenceOf(part: string): readonly [code: string, rest: string] {
  const end = part.indexOf('m');
  return [part.slice(0, end), part.slice(end + 1)];
}

function styleAfter(style: TextStyle, code: string): TextStyle {
  if (code === '1') return { ...style, weight: 'bold' };
  if (code === '2') return { ...style, weight: 'dim' };
  if (code === '22') return { ...style, weight: '' };
  return code === '' ? style : { ...style, colour: colours[code] ?? '' };
}

function drawn({ line, column, text, colour, weight }: Run): Html {
  const x = size.margin + column * size.character;
  const y = size.margin + line * size.line + size.font;
  const classes = [colour, weight].filter((name) => name !== '').join(' ');
  return html`<text class="${classes}" x="${x}" y="${y}" textLength="${lengthOf(text) * size.character}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
