/**
 * The comment by which editors with the YAML language server find the schema of a file: in the leasehold that npm
 * installed, so that it is that of the version in use. `path` is the file's, below the folder with `package.json`.
 */
export function schemaLine(path: string, schema: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return `# yaml-language-server: $schema=${up}node_modules/leasehold/docs/schemas/${schema}.schema.json`;
}
