/** One fenced block of a Markdown page. */
export interface Fence {
  /** The first word after the fence: `yaml`, `console`, … */
  readonly language: string;
  /** The rest of that line: for YAML, the file that the block is; for a console, a day. */
  readonly title: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** The fenced blocks of a page, in order. */
export function fencesOf(page: string): Fence[] {
  const fences: Fence[] = [];
  let open: { language: string; title: string; line: number; lines: string[] } | undefined;
  page.split('\n').forEach((text, index) => {
    const fence = /^```(\S*) ?(.*)$/.exec(text);
    if (!open && fence) {
      open = { language: fence[1] ?? '', title: fence[2] ?? '', line: index + 1, lines: [] };
    } else if (open && text === '```') {
      fences.push({ ...open, text: open.lines.map((line) => `${line}\n`).join('') });
      open = undefined;
    } else open?.lines.push(text);
  });
  return fences;
}

/** One command of a console block and what the page says it prints. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of a console block: lines that start with `$ `, each with the lines after it. */
export function commandsOf(fence: Fence): Shown[] {
  return fence.text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), output: part.slice(end + 1) };
    });
}
