/** What git leaves out of commits. */
const ignored: readonly string[] = ['node_modules/', '.leasehold/'];

/**
 * How git treats our files. `-merge`: two edits of one file of `leases/` conflict, so that the look for renames puts
 * nobody's edit into the lease of another; pools and policy are people's to merge (docs/together.md).
 */
const attributes: readonly string[] = [
  '* text=auto eol=lf',
  'leases/** -merge',
  'leases/pools.yaml merge',
  'leases/policy.yaml merge',
  'leases/allocations/** linguist-generated',
  'dist/** linguist-generated',
];

/** `.gitignore` with our lines. */
export function ignoreText(existing: string | undefined): string {
  return withLines(existing, ignored);
}

/** `.gitattributes` with our lines. The last line that fits a path counts, so ours come last. */
export function attributesText(existing: string | undefined): string {
  return withLines(existing, attributes);
}

/** A file of lines with those of ours that it lacks at its end. All else stays as it is. */
function withLines(existing: string | undefined, ours: readonly string[]): string {
  const text = existing ?? '';
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const lacking = ours.filter((line) => !present.has(line));
  if (lacking.length === 0) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${lacking.join('\n')}\n`;
}
