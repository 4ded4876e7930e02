/** True for a format of `-o` that programs read. */
export function isData(format: string | undefined): format is 'json' | 'yaml' {
  return format === 'json' || format === 'yaml';
}
