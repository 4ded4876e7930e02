/** The longest DNS name, without the dot at its end, and the longest label (RFC 1035, 2.3.4). */
const longestName = 253;
const longestLabel = 63;

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Why a text is not a hostname, with the form to write if it has one; undefined for a hostname. */
export function hostnameReason(text: string): string | undefined {
  const fault = dnsNameFault(text);
  return fault && `${fault.reason}${canonicalAdvice(text)}`;
}

/** The advice for a DNS name in another form, as the end of a sentence; empty for any other text. */
export function canonicalAdvice(text: string): string {
  const canonical = dnsNameFault(text)?.canonical;
  return canonical === undefined ? '' : `; write ${canonical}`;
}

/** Why a text is not a DNS name in canonical form. */
export interface DnsNameFault {
  readonly reason: string;
  /** The canonical form; undefined when the text has none. */
  readonly canonical?: string;
}

/**
 * Checks a DNS name in canonical form: at least two labels of RFC 1123, in lower case, punycode for
 * other scripts, no dot at the end. The first label can be the wildcard `*`. The last one is not a
 * number, so that no name reads as an IPv4 address. A domain has no wildcard, and can be a single
 * label. Undefined for a valid name.
 *
 * Another form of a name is a fault and is not converted: one name has one text in every file, and
 * the tables of Unicode differ between versions.
 */
export function dnsNameFault(
  text: string,
  kind: 'name' | 'domain' = 'name',
): DnsNameFault | undefined {
  const reason = faultOf(text, kind);
  if (reason === undefined) return undefined;
  const canonical = canonicalForm(text, kind);
  return canonical === undefined ? { reason } : { reason: 'not in canonical form', canonical };
}

function faultOf(text: string, kind: 'name' | 'domain'): string | undefined {
  if (text.length > longestName)
    return `it has ${text.length} characters, more than ${longestName}`;
  const labels = text.split('.');
  const own = labels[0] === '*' && kind === 'name' ? labels.slice(1) : labels;
  if (own.includes('*')) {
    return kind === 'name' ? 'the wildcard * is not the first label' : 'a domain has no wildcard';
  }
  if (own.includes('')) return 'a label is empty';
  const long = own.find(({ length }) => length > longestLabel);
  if (long !== undefined) return `a label has ${long.length} characters, more than ${longestLabel}`;
  const wrong = own.find((one) => !label.test(one));
  if (wrong !== undefined) {
    return 'a label has other characters than a-z, 0-9 and -, or begins or ends with -';
  }
  if (own.length < 2 && kind === 'name') return 'it has fewer than two labels';
  return /^\d+$/.test(own.at(-1) ?? '') ? 'the last label is a number' : undefined;
}

const convertible = /^(?:\*\.)?[\p{L}\p{M}\p{N}.-]+$/u;

function canonicalForm(text: string, kind: 'name' | 'domain'): string | undefined {
  if (text.length > longestName || !convertible.test(text)) return undefined;
  const [, wildcard = '', rest = ''] = /^(\*\.)?(.*?)\.?$/.exec(text) ?? [];
  const url = `http://${rest}`;
  if (!URL.canParse(url)) return undefined;
  const canonical = `${wildcard}${new URL(url).hostname}`;
  return faultOf(canonical, kind) === undefined ? canonical : undefined;
}

/** True for a name that is a domain, or below it. */
export function isInDomain(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** The domains above a name, the nearest one first. */
export function domainsAbove(name: string): readonly string[] {
  const [, ...labels] = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** Compares names by their labels, the last one first: a domain comes before the names below it. */
export function compareDnsNames(left: string, right: string): number {
  const [one, other] = [left, right].map((name) => name.split('.').reverse());
  for (const [index, part] of (one ?? []).entries()) {
    const against = other?.[index];
    if (against === undefined) return 1;
    if (part !== against) return part < against ? -1 : 1;
  }
  return (one?.length ?? 0) - (other?.length ?? 0);
}
