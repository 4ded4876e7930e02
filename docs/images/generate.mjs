// Writes the pictures of the README beside this file: the shipped example with the lease that the README declares.
// `npm run docs` compiles the modules and runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readmePictures } from '../../build/modules/docs/generators/readme-pictures.js';
import { run } from '../../build/modules/src/core/cli/run.js';
import { features } from '../../build/modules/src/features.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const day = '2026-11-21';
const root = mkdtempSync(join(tmpdir(), 'leasehold-images-'));
try {
  for (const part of ['leases', 'dist', '.gitignore']) {
    cpSync(join(repository, part), join(root, part), { recursive: true });
  }
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'The example');
  await declareLease();
  for (const [name, text] of await readmePictures(root, day)) {
    writeFileSync(new URL(name, import.meta.url), text);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Writes the first YAML block of the README to the file that it names, and runs synth. */
async function declareLease() {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const [, path, text] = /^```yaml (\S+)\n(.*?)^```$/ms.exec(readme);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  let printed = '';
  const print = (more) => {
    printed += more;
  };
  const context = { out: print, err: print, color: false, terminal: false, today: () => day, env: {}, cwd: root };
  if ((await run(['synth'], features, context)) !== 0) throw new Error(printed);
}

/** Runs git as the tests do, so that commits have the same names. */
function git(...args) {
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgSign=false'];
  const time = `${day}T12:00:00Z`;
  execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: root,
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: time,
      GIT_COMMITTER_DATE: time,
    },
  });
}
