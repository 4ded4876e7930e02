import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of the machine: $CHROMIUM, or one that is found in PATH; undefined when there is none. */
export function browserPath(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(CHROMIUM ? [CHROMIUM] : []), ...found].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
