/** YAML below lines that say how it is used. */
export function commented(lines: readonly string[], yaml: string): string {
  return `${lines.map((line) => `# ${line}\n`).join('')}${yaml}`;
}
