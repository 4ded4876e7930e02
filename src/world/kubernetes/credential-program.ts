import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { User } from '@kubernetes/client-node';
import { EnvironmentError } from '../../model/problem.ts';
import { listAt, textAt } from '../../model/unstructured.ts';
import { hasCode, reasonOf } from '../system-error.ts';

/** Milliseconds that a program may take: somebody may have to log in. */
const longest = 120_000;

/**
 * A user of a kubeconfig with the credentials that his program gives, and without the program (Kubernetes:
 * Authentication, client-go credential plugins); one that names no program as he is. What the program says goes
 * to standard error. One that is missing, fails or does not end is an EnvironmentError.
 */
export async function withCredentials(user: User, patience: number = longest): Promise<User> {
  const command = textAt(user.exec, 'command');
  if (command === undefined) return user;
  const fail = (reason: string) =>
    new EnvironmentError(
      `the program ${basename(command)}, which the kubeconfig takes credentials from, gives none: ${reason}`,
    );
  const status = statusIn(await outputOf(command, user.exec, { patience, fail }));
  const token = textAt(status, 'token');
  const certificate = textAt(status, 'clientCertificateData');
  const key = textAt(status, 'clientKeyData');
  if (token === undefined && certificate === undefined) {
    throw fail('it prints no ExecCredential with a token or a certificate');
  }
  return {
    ...user,
    exec: undefined,
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined ? {} : { certData: base64(certificate) }),
    ...(key === undefined ? {} : { keyData: base64(key) }),
  };
}

interface Limits {
  readonly patience: number;
  readonly fail: (reason: string) => EnvironmentError;
}

function outputOf(command: string, plugin: unknown, { patience, fail }: Limits): Promise<string> {
  const isInteractive =
    process.stdin.isTTY === true && textAt(plugin, 'interactiveMode') !== 'Never';
  const args = listAt(plugin, 'args').map(String);
  return new Promise((done, refuse) => {
    const program = spawn(command, args, {
      env: { ...process.env, ...settingsOf(plugin, isInteractive) },
      stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      timeout: patience,
    });
    const parts: Buffer[] = [];
    program.stdout.on('data', (part: Buffer) => parts.push(part));
    program.on('error', (error) => {
      refuse(fail(hasCode(error, 'ENOENT') ? 'it is not installed' : reasonOf(error)));
    });
    program.on('close', (status, signal) => {
      if (status === 0) done(Buffer.concat(parts).toString('utf8'));
      else if (signal === null) refuse(fail(`it ends with exit status ${status}`));
      else refuse(fail(`it was ended by ${signal}, after ${patience / 1000} s at the latest`));
    });
  });
}

/** The variables of the kubeconfig, and what the program is to know of whoever asks it. */
function settingsOf(plugin: unknown, interactive: boolean): Record<string, string> {
  const own = listAt(plugin, 'env').map((one) => [textAt(one, 'name'), textAt(one, 'value') ?? '']);
  const apiVersion = textAt(plugin, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
  const asked = { apiVersion, kind: 'ExecCredential', spec: { interactive } };
  return { ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(asked) };
}

function statusIn(output: string): unknown {
  try {
    return Object(JSON.parse(output)).status;
  } catch {
    return undefined;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
