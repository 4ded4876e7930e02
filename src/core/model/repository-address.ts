/** The host of a URL. Not an IPv6 literal: Argo CD's projects read its brackets as a pattern. */
const host = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?';
const path = '(?:[A-Za-z0-9._~@%+][A-Za-z0-9._~:@%+-]*)(?:/+[A-Za-z0-9._~:@%+-]+)*/?';
const remote = new RegExp(`^(?:https?|ssh)://${host}(?::[1-9][0-9]{0,4})?/${path}$`);
const short = new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._-]*@${host}:${path}$`);
const part = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const artifact = new RegExp(`^oci://${host}(?::[1-9][0-9]{0,4})?/${part}(?:/${part})*$`);
const server = new RegExp(`^https://${host}(?::[1-9][0-9]{0,4})?(?:/[A-Za-z0-9._~/-]*)?$`);

/** Characters of a repository URL. None has a meaning in a pattern, a shell or a template. */
const characters = /^[A-Za-z0-9._~:/@%+-]*$/;

/**
 * Why a text is not a URL of a git repository for Argo CD or Flux, as the end of a sentence;
 * undefined for a valid one. Credentials are refused, because everyone who can read the object
 * could read them. `takesShort` allows git's short form, `git@host:path`. Source for Flux: the
 * pattern of GitRepository's spec.url.
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
    return 'contains credentials, which belong in a Secret';
  }
  const bare = user === undefined ? url : url.replace(`${user}@`, '');
  const isRemote = remote.test(bare) && URL.canParse(bare);
  return isRemote ? undefined : 'is not an address such as https://HOST/PATH';
}

/**
 * Why a text is not a URL of an artifact for Flux, as the end of a sentence; undefined for a valid
 * one. Tags and digests have fields of their own, and credentials are refused. Source of names: the
 * OCI distribution specification; for Flux: the pattern of OCIRepository's spec.url.
 */
export function artifactFault(url: string): string | undefined {
  if (/^[a-z]+:\/\/[^/]*@/i.test(url)) {
    return 'contains credentials, which belong in a Secret';
  }
  const isArtifact = artifact.test(url) && URL.canParse(url);
  return isArtifact ? undefined : 'is not an address such as oci://HOST/PATH, without a tag';
}

/**
 * Why a text is not the URL of an API server, as the end of a sentence; undefined for a valid one.
 * Only `https`, and no IPv6 literal: Argo CD's projects read its brackets as a pattern.
 */
export function serverFault(url: string): string | undefined {
  if (/^https?:\/\/[^/]*@/.test(url)) return 'contains credentials, expected https://HOST';
  const isServer = server.test(url) && URL.canParse(url);
  return isServer ? undefined : 'is not the URL of an API server, such as https://HOST';
}

/**
 * True for a name that git allows for a branch. Source: git-check-ref-format(1) with `--branch`,
 * but without its shorthands `@` and `@{-1}`.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || name.startsWith('-')) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\.$/u.test(name)) return false;
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
