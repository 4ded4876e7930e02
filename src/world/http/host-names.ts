import { isIP } from 'node:net';

/** Names that nobody can register to point at somebody else's network: this machine, and Services of a cluster. */
const ownNames: readonly string[] = ['localhost', '.svc', '.svc.cluster.local'];

/** True for what `--allowed-host` takes: a name in lower case, or one with a leading dot for all names below it. */
export function isHostName(text: string): boolean {
  const label = '[a-z0-9_](?:[-a-z0-9_]{0,61}[a-z0-9])?';
  return text.length <= 254 && new RegExp(`^\\.?${label}(?:\\.${label})*$`).test(text);
}

/**
 * True when the Host header of a request names this server: by an IP address, by a name of its own, or by one that is allowed. A
 * web page whose name was made to point here names itself, and would otherwise read the answers as its own. A client
 * that sends none is no browser.
 */
export function namesServer(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return true;
  const [, bracketed, bare = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(host) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = bare.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 4) return true;
  return [...ownNames, ...allowed].some((own) =>
    own.startsWith('.') ? name.endsWith(own) && name !== own : name === own,
  );
}
