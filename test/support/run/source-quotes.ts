/** What a command printed, without the lines of files that it quotes under its problems. */
export function withoutQuotes(printed: string): string {
  return printed.replaceAll(/^ {2}\d+ \| .*\n +\| *\^+\n/gm, '');
}
