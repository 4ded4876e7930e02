import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { putFile } from '../trees/temp-tree.ts';

/** The names of the files that the CI kit makes for people, in the folder of the artifact. */
export const artifactNames = ['plan.json', 'plan.html', 'code-quality.json', 'page.html'] as const;

/** Programs that the scripts of the CI kit start. */
const started = ['git', 'node', 'npm', 'npx', 'tar', 'curl', 'mktemp', 'leasehold', 'unzip'];

/** Commits to a checkout what shells, Node, npm and git read in their working directory. All of it makes `marker`. */
export function putHostileFiles(root: string, marker: string): void {
  const script = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')\n`;
  const files: Readonly<Record<string, string>> = {
    'evil.cjs': script,
    'package.json': '{"type":"module","main":"evil.cjs","scripts":{"build":"node evil.cjs"}}',
    '.npmrc': 'node-options=--require=./evil.cjs\nscript-shell=./evil\nignore-scripts=false\n',
    '.node-version': '6\n',
    '.nvmrc': '6\n',
    '.env': 'NODE_OPTIONS=--require=./evil.cjs\n',
    'node.config.json': '{"nodeOptions":{"require":["./evil.cjs"]}}',
    'node_modules/crypto/index.js': script,
    'node_modules/fs/index.js': script,
    'node_modules/simple-git/index.js': script,
    'build/src/cli/main.js': script,
    '.gitattributes': '* filter=evil diff=evil merge=evil ident text eol=crlf\n',
    '.gitconfig':
      '[filter "evil"]\n\tclean = ./evil\n\tsmudge = ./evil\n[core]\n\tfsmonitor = ./evil\n',
    '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = ext::./evil\n\tupdate = !./evil\n',
    '.mailmap': 'A <a@example.com>\n',
    '.curlrc': 'output = pwned\n',
    '.bashrc': './evil\n',
    '.profile': './evil\n',
  };
  for (const [path, text] of Object.entries(files)) putFile(root, path, text);
  for (const name of ['evil', ...started]) {
    putFile(root, name, `#!/bin/sh\n: > '${marker}'\n`);
    chmodSync(join(root, name), 0o755);
  }
}

/** What an author can commit in place of the artifact's folder; `outside` is a folder that the job must not write. */
export const artifactTraps: Readonly<Record<string, (root: string, outside: string) => void>> = {
  'a link': (root, outside) => symlinkSync(outside, join(root, 'leasehold-plan')),
  'links in a folder': (root, outside) => {
    putFile(root, 'leasehold-plan/here', '');
    for (const name of artifactNames) {
      symlinkSync(join(outside, name), join(root, 'leasehold-plan', name));
    }
  },
  'a file': (root) => putFile(root, 'leasehold-plan', ''),
  'folders in a folder': (root) => {
    for (const name of artifactNames) putFile(root, `leasehold-plan/${name}/here`, '');
  },
};
