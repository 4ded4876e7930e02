import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type KeyName, parseKeyName } from '../declarations/key-file.ts';
import { isQuotaOwner } from '../declarations/pools/pools-schema.ts';
import { type Day, parseDay } from '../model/day.ts';
import { isBranchName } from '../model/repository-address.ts';
import { leasesFolder } from '../model/repository-paths.ts';
import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { dnsNameFault } from '../net/dns-name.ts';
import { type AddressRange, isRange, parseRange, rangeSize } from '../net/range.ts';
import { subnetLabel } from '../net/reverse-name.ts';
import { dnsLabel } from '../text/common-fields.ts';
import { shellWord } from '../text/print/escape.ts';

/** `--today`. */
export function todayOption() {
  return new Option(
    '--today <day>',
    'the day to record, YYYY-MM-DD, instead of the current UTC day',
  )
    .env('LEASEHOLD_TODAY')
    .argParser(dayValue);
}

/** `--allow-release`. */
export function allowReleaseOption(
  description = 'allow the run to release exactly this many addresses and hostnames',
) {
  return new Option('--allow-release <count>', description).argParser(countValue);
}

/** The releases that `--allow-release` confirms, and the running command with that option, to copy. */
export function releaseTerms(
  { argv = [] }: { readonly argv?: readonly string[] },
  { allowRelease: allowed }: { readonly allowRelease?: number | undefined },
) {
  const isAllowing = (word?: string): boolean => word === '--allow-release';
  const words = argv
    .filter((word, index) => !isAllowing(word) && !isAllowing(argv[index - 1]))
    .filter((word) => !word.startsWith('--allow-release='))
    .map(shellWord);
  const allowingCommand = (count: number): string =>
    ['leasehold', ...words, '--allow-release', count].join(' ');
  return { allowed, allowingCommand };
}

/** `--cluster` of the commands for one declared cluster. */
export function clusterOption(
  description = 'the cluster of leases/pools.yaml; the default one when left out',
) {
  return new Option('--cluster <name>', description);
}

/** `--context` of the commands that connect to a live cluster. */
export function contextOption() {
  return new Option(
    '--context <name>',
    'the context of the kubeconfig; the current one when left out',
  ).argParser(givenValue);
}

/** `--kubeconfig` of the same commands. */
export function kubeconfigOption() {
  return new Option(
    '--kubeconfig <file>',
    'the kubeconfig; KUBECONFIG or ~/.kube/config when left out',
  ).argParser(givenValue);
}

/** A value that an unset variable of a script has not made empty. */
function givenValue(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** The live cluster that the two options name. */
export function connectionOf({
  kubeconfig,
  context,
}: {
  readonly kubeconfig?: string;
  readonly context?: string;
}) {
  return { kubeconfig, context };
}

/** `--pending-refs`. */
export function pendingRefsOption(effect: string) {
  const description = `${effect}, such as 'refs/pull/*/head'; may be repeated`;
  const none: readonly string[] = [];
  return new Option('--pending-refs <pattern>', description)
    .default(none)
    .argParser<readonly string[]>(patternsValue);
}

/** A promise of 365 days from here still ends on a day with a year of four digits. */
const lastToday = '9998-12-31';

/** A calendar day. */
export function dayValue(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('Expected a day as YYYY-MM-DD.');
  if (day > lastToday) throw new InvalidArgumentError(`It is later than ${lastToday}.`);
  return day;
}

/** A whole number from 0. */
export function countValue(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** A sequence number of Akash, from 1. */
export function sequenceValue(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It is not a number from 1.');
  return Number(text);
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** A time such as `90s`, in milliseconds. */
export function timeValue(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const factor = milliseconds[unit];
  if (number === undefined || factor === undefined) {
    throw new InvalidArgumentError('It is not a time such as 90s, 5m or 1h.');
  }
  return Number(number) * factor;
}

/** The name of a zone, an object or a namespace: a DNS label. */
export function labelOption(text: string): string {
  if (dnsLabel.safeParse(text).success) return text;
  throw new InvalidArgumentError('It is not a name of lower-case letters, digits and -.');
}

/** {@link labelOption} of an option that may be repeated. */
export function labelsValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, labelOption(text)];
}

/** An owner of addresses: an Akash account, or `<cluster>/<namespace>` of Services. */
export function ownerValue(text: string): string {
  if (isQuotaOwner(text)) return text;
  throw new InvalidArgumentError('It is not an account akash1… or <cluster>/<namespace>.');
}

/** {@link ownerValue} of an option that may be repeated. */
export function ownersValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, ownerValue(text)];
}

/** A time from the day of the run on, in days: `7d`, `2w`. */
export function daysValue(text: string): number {
  const [, number, unit] = /^(0|[1-9]\d{0,4})([dw])$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It is not a time such as 7d or 2w.');
  return Number(number) * (unit === 'w' ? 7 : 1);
}

/** The name of an AppProject, except Argo CD's own, which is for other Applications. */
export function projectValue(text: string): string {
  if (text !== 'default') return labelOption(text);
  throw new InvalidArgumentError("It is Argo CD's project for all other Applications.");
}

/** `NAMESPACE/NAME` of a key. */
export function keyValue(text: string): KeyName {
  const name = parseKeyName(text);
  if (name) return name;
  throw new InvalidArgumentError(
    text.endsWith('/default')
      ? 'default means no key, so no key has that name.'
      : 'It is not NAMESPACE/NAME, such as shop/web.',
  );
}

/** One IP address. */
export function addressValue(text: string): Address {
  const address = parseAddress(text);
  if (isAddress(address)) return address;
  throw new InvalidArgumentError('It is not an IP address.');
}

/** An address of an option that may be given once for each family. */
export function addressesValue(text: string, before: readonly Address[]): readonly Address[] {
  const address = addressValue(text);
  if (before.some(({ family }) => family === address.family)) {
    throw new InvalidArgumentError('Only one address of a family is allowed.');
  }
  return [...before, address];
}

/** A CIDR block of an option that may be given once for each family. */
export function blocksValue(
  text: string,
  before: readonly AddressRange[],
): readonly AddressRange[] {
  const block = rangeValue(text);
  if (!text.includes('/')) throw new InvalidArgumentError('It is not a CIDR block.');
  if (before.some(({ from }) => from.family === block.from.family)) {
    throw new InvalidArgumentError('Only one block of a family is allowed.');
  }
  return [...before, block];
}

/** One of the addresses, blocks and ranges of an option. */
export function rangesValue(
  text: string,
  before: readonly AddressRange[] = [],
): readonly AddressRange[] {
  return [...before, rangeValue(text)];
}

function rangeValue(text: string): AddressRange {
  const range = parseRange(text);
  if (isRange(range)) return range;
  throw new InvalidArgumentError(`${range.reason}.`);
}

/** Any text, of an option that may be repeated. */
export function textsValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** A pattern of refs, of an option that may be repeated. */
function patternsValue(text: string, before: readonly string[]): readonly string[] {
  if (!/^refs\/[A-Za-z0-9._*?/-]{1,200}$/.test(text)) {
    throw new InvalidArgumentError("It is not a pattern of refs, such as 'refs/pull/*/head'.");
  }
  return [...before, text];
}

/** The name of a branch that leasehold reads or commits to. */
export function branchValue(text: string): string {
  if (isBranchName(text)) return text;
  throw new InvalidArgumentError('It is not a name that git allows for a branch.');
}

/** The name of a branch that an engine reads. Flux substitutes text in braces after a `$`. */
export function engineBranchValue(text: string): string {
  if (isBranchName(text) && !text.includes('$')) return text;
  throw new InvalidArgumentError('It is not the name of a branch.');
}

/** A folder for declarations: `leases/NAME`, or deeper. */
export function folderValue(text: string): string {
  const folder = text.replace(/\/+$/, '');
  const [first, own, ...deeper] = folder.split('/');
  const isName = (part: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part);
  const isFree = own !== undefined && own !== 'allocations' && own !== 'keys' && isName(own);
  if (first === leasesFolder && isFree && deeper.every(isName)) return folder;
  throw new InvalidArgumentError('It is not a folder for declarations, such as leases/shop.');
}

/** A DNS zone in canonical form. The first label can be that of a subnet. */
export function zoneValue(text: string): string {
  const subnet = subnetLabel(text);
  const fault = dnsNameFault(text.slice(subnet.length), 'domain');
  if (!fault) return text;
  const { reason, canonical } = fault;
  throw new InvalidArgumentError(
    canonical === undefined ? `${reason}.` : `Write ${subnet}${canonical}.`,
  );
}

/** The addresses of a reverse zone of RFC 2317. */
export function delegatedValue(text: string): AddressRange {
  const range = parseRange(text);
  if (!isRange(range)) throw new InvalidArgumentError(`${range.reason}.`);
  const { from, to } = range;
  if (from.family === 'ipv4' && from.value >> 8n === to.value >> 8n && rangeSize(range) < 256n) {
    return range;
  }
  throw new InvalidArgumentError(
    'RFC 2317 is for fewer than 256 IPv4 addresses with the same first three numbers.',
  );
}
