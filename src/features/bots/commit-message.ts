import { plain } from '../../text/print/plain.ts';

/** What a commit message is put together from; texts may come from tenants. */
export interface MessageParts {
  readonly subject: string;
  /** Lines of the body. */
  readonly body?: readonly string[];
  /** What follows a name in the last paragraph, in order; a name may come more than once. */
  readonly trailers?: readonly (readonly [name: string, value: string])[];
}

/** More lines than this say nothing that the changes of the commit do not. */
const mostLines = 50;

/**
 * A commit message: subject, body, trailers, with a blank line between. Each part stays one line,
 * whatever it holds, so that no text of a tenant can pass for a trailer.
 */
export function commitMessage({ subject, body = [], trailers = [] }: MessageParts): string {
  const left = body.length - mostLines;
  const lines = [...body.slice(0, mostLines), ...(left > 0 ? [`and ${left} more`] : [])];
  const paragraphs = [
    [subject],
    lines,
    trailers.map(([name, value]) => `${name}: ${value}`),
  ].filter((paragraph) => paragraph.length > 0);
  return `${paragraphs.map((paragraph) => paragraph.map(plain).join('\n')).join('\n\n')}\n`;
}

/** The value of the last trailer of a name in a message's last paragraph; undefined when there is none. */
export function trailerOf(message: string, name: string): string | undefined {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  const lines = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '').split('\n') : [];
  const found = lines.filter((line) => line.startsWith(`${name}: `)).at(-1);
  return found?.slice(name.length + 2).trim();
}
