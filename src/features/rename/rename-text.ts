import type { Renaming } from './rename-answer.ts';

/** The renamed holders with their addresses, and the files. */
export function renamingText({ renamed, edited, file }: Renaming): string {
  const lines = [
    ...renamed.map(({ from, to, addresses, hostnames }) => {
      const kept = [...addresses, ...hostnames];
      const what = kept.length > 0 ? `keeps ${kept.join(', ')}` : 'has no address yet';
      return `${from} -> ${to}  ${what}`;
    }),
    ...edited.map((file) => `edited ${file}`),
    ...(file === undefined
      ? []
      : [`wrote ${file}: commit it with the rest; remove it once that is merged`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
