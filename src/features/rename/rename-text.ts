import type { Renaming } from './rename-answer.ts';

/** The renamed holders with their addresses, and the files. */
export function renamingText({ renamed, edited, written }: Renaming): string {
  const lines = [
    ...renamed.map(({ from, to, addresses }) =>
      addresses.length > 0
        ? `${from} -> ${to}  keeps ${addresses.join(' and ')}`
        : `${from} -> ${to}  has no address yet`,
    ),
    ...edited.map((file) => `edited ${file}`),
    ...(written === undefined
      ? []
      : [`wrote ${written}: commit it with the rest; remove it once that is merged`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
