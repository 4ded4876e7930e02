import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs git in a folder, with these variables beside those of this process. */
type StartGit = (
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Runs each request, a file of shell commands, and answers with its status. Ends with the process that asks. */
const script = `
while read -r _; do . ./request; echo $?; done < asked > answered
rm -rf "$PWD"
`;

let shell: StartGit | undefined;

/**
 * Starts git from a small shell, one for this process. To start a program, the system copies the tables of the memory of the
 * process that starts it: with the product in it, that costs more than git itself.
 */
export function startInShell(): StartGit {
  shell ??= openShell();
  return shell;
}

function openShell(): StartGit {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-git-'));
  spawnSync('mkfifo', [join(folder, 'asked'), join(folder, 'answered')]);
  spawn('sh', ['-c', script], { cwd: folder, stdio: 'ignore' }).unref();
  const asked = openSync(join(folder, 'asked'), 'w');
  const answered = openSync(join(folder, 'answered'), 'r');
  const answer = Buffer.alloc(16);
  return (root, args, env) => {
    const settings = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
    const command = `exec git ${args.map(quoted).join(' ')} < /dev/null > "$OLDPWD/out" 2> "$OLDPWD/err"`;
    const lines = [...settings, `cd ${quoted(root)} && ${command}`];
    writeFileSync(join(folder, 'request'), `( ${lines.join('\n')} )\n`);
    writeSync(asked, '\n');
    const length = readSync(answered, answer);
    if (length === 0) throw new Error('the shell that starts git has ended');
    return {
      status: Number(answer.toString('utf8', 0, length)),
      stdout: readFileSync(join(folder, 'out'), 'utf8'),
      stderr: readFileSync(join(folder, 'err'), 'utf8'),
    };
  };
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
