/** The host of a URL; no IPv6 literal, whose brackets Argo CD's projects take for a pattern. */
const host = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?';
const path = '(?:[A-Za-z0-9._~@%+][A-Za-z0-9._~:@%+-]*)(?:/+[A-Za-z0-9._~:@%+-]+)*/?';
const remote = new RegExp(`^(?:https?|ssh)://${host}(?::[1-9][0-9]{0,4})?/${path}$`);
const short = new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._-]*@${host}:${path}$`);
const part = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const artifact = new RegExp(`^oci://${host}(?::[1-9][0-9]{0,4})?/${part}(?:/${part})*$`);
const server = new RegExp(`^https://${host}(?::[1-9][0-9]{0,4})?(?:/[A-Za-z0-9._~/-]*)?$`);

/** Everything that may stand in the address of a repository; nothing that a pattern, a shell or a template reads. */
const characters = /^[A-Za-z0-9._~:/@%+-]*$/;

/**
 * Why an engine may not be given this text as the address of a git repository, as the end of a sentence; undefined when
 * it may. Without credentials: what stands in an engine's object, everybody who reads objects can read. `takesShort` is
 * for engines that know git's short form, `git@host:path`. Flux: the pattern of GitRepository's spec.url.
 */
export function repositoryFault(url: string, takesShort: boolean): string | undefined {
  if (!characters.test(url) || /%(?![0-9A-Fa-f]{2})|%[01]|%7f/i.test(url)) {
    return 'has characters that are not letters, digits, . _ ~ : / @ % + or -';
  }
  if (short.test(url) && !url.includes('://')) {
    return takesShort ? undefined : 'is in the short form of ssh, expected ssh://git@HOST/PATH';
  }
  const user = /^[a-z]+:\/\/([^/]*)@/i.exec(url)?.[1];
  if (user !== undefined && !(url.startsWith('ssh://') && /^[\w][\w.-]*$/.test(user))) {
    return 'holds credentials, which belong into a Secret of the engine';
  }
  const bare = user === undefined ? url : url.replace(`${user}@`, '');
  const isRemote = remote.test(bare) && URL.canParse(bare);
  return isRemote ? undefined : 'is not an address such as https://HOST/PATH';
}

/**
 * Why Flux may not be given this text as the address of an artifact, as the end of a sentence; undefined when it may.
 * Without a tag or digest, which have fields of their own, and without credentials. The name is one of the OCI
 * distribution specification; Flux: the pattern of OCIRepository's spec.url.
 */
export function artifactFault(url: string): string | undefined {
  if (/^[a-z]+:\/\/[^/]*@/i.test(url)) {
    return 'holds credentials, which belong into a Secret of the engine';
  }
  const isArtifact = artifact.test(url) && URL.canParse(url);
  return isArtifact ? undefined : 'is not an address such as oci://HOST/PATH, without a tag';
}

/**
 * Why a text is not the URL of an API server, as the end of a sentence; undefined when it is one. `https` only, and
 * no IPv6 literal: Argo CD's projects take its brackets for a pattern.
 */
export function serverFault(url: string): string | undefined {
  if (/^https?:\/\/[^/]*@/.test(url)) return 'holds credentials, expected https://HOST';
  const isServer = server.test(url) && URL.canParse(url);
  return isServer ? undefined : 'is not the URL of an API server, such as https://HOST';
}

/**
 * True for a name that git allows for a branch. Source: git-check-ref-format(1), with `--branch`, but
 * without the names that it takes for others, `@` and `@{-1}`.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || name.startsWith('-')) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\.$/u.test(name)) return false;
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
