import { leaseIdText } from '../../model/lease.ts';
import { addToGroup } from '../../model/order.ts';
import { type Policy, partyText, tenantOf, tenantsOf } from '../../model/policy.ts';
import { counted, type Position } from '../../model/problem.ts';
import { policyPath, poolsPath } from '../../model/repository-paths.ts';
import { serviceIdText } from '../../model/service.ts';
import type { Declared } from '../../tree/declared.ts';
import { leaseFileChanges } from '../../tree/file-changes.ts';
import type { Review } from '../review/review.ts';
import { planPlace } from './address-changes.ts';
import { cautionsFor } from './caution-text.ts';
import { changesSentence, declaredChanges } from './declared-changes.ts';
import type { Caution } from './plan-answer.ts';

/** One POLICY_CHANGED with all differences of the policy. */
export function policyCautions(base: Policy | undefined, head: Policy | undefined): Caution[] {
  const changes = policyChanges(base, head);
  if (changes.length === 0) return [];
  const side = head ? 'head' : 'base';
  return [
    {
      code: 'POLICY_CHANGED',
      message: `${changesSentence(changes)}${ownersAdvice(base, head)}`,
      at: { side, file: policyPath, line: 1 },
    },
  ];
}

/** CODEOWNERS does not follow a policy by itself: a new tenant without a line has no reviewers. */
function ownersAdvice(base: Policy | undefined, head: Policy | undefined): string {
  const isSame = ownersText(base) === ownersText(head);
  if (isSame || !head || head.operators.reviewers.length === 0) return '';
  return '; where the forge reads CODEOWNERS, its lines change: run `leasehold codeowners --write FILE` on the branch';
}

/** The state of a policy in CODEOWNERS. */
function ownersText(policy: Policy | undefined): string {
  const tenants = (policy?.tenants ?? []).map(({ folders, namespaces, reviewers }) => {
    return [folders, namespaces, reviewers];
  });
  return JSON.stringify([policy?.operators.reviewers, tenants]);
}

/** The differences between two policies, each a short phrase. */
function policyChanges(base: Policy | undefined, head: Policy | undefined): readonly string[] {
  if (!head) return base ? ['policy removed'] : [];
  if (!base) return [`policy added, with ${counted(head.tenants.length, 'tenant')}`];
  return declaredChanges(base, head).map(({ text }) => text);
}

/** OTHER_TENANT and TENANT_CHANGED, by the policy of the base; none when it has no policy. */
export function tenantCautions({ base, head, comparison }: Review): Caution[] {
  const { policy } = base;
  if (!policy) return [];
  const changed = leaseFileChanges(comparison.baseTree, comparison.headTree);
  const concerned = [...new Set([...changed, ...movedFiles(base, head)])];
  const isInHead = (file: string) => comparison.headTree.list(file).length > 0;
  return [...partyCautions(policy, concerned, isInHead), ...handoverCautions(policy, base, head)];
}

/** The files of unchanged declarations whose address `leasehold move` changes. */
function movedFiles(base: Declared, head: Declared): readonly string[] {
  const moved = [...head.table].flatMap(([address, { holder, movedFrom }]) =>
    movedFrom && base.table.get(address)?.holder !== holder ? [holder] : [],
  );
  const holders = new Set(moved);
  return (head.holders ?? [])
    .filter(({ id }) => holders.has(id))
    .flatMap(({ claims, promise }) => [...claims, ...(promise ? [promise] : [])])
    .map(({ at }) => at.file);
}

/** Parties, and folders of a party, past this number are counted instead of named. */
const mostNamed = 4;

/** OTHER_TENANT at the first file of the second party. */
function partyCautions(
  policy: Policy,
  changed: readonly string[],
  isInHead: (file: string) => boolean,
): Caution[] {
  const parties = partiesOf(policy, changed);
  const [, [file] = []] = [...parties.values()];
  if (file === undefined) return [];
  const texts = [...parties].map(([party, files]) => `${party} (${placesText(files)})`);
  return [
    {
      code: 'OTHER_TENANT',
      message: `this concerns ${enumerated(texts)}`,
      at: { side: isInHead(file) ? 'head' : 'base', file, line: 1 },
    },
  ];
}

/**
 * The changed files by party, in the order of the files. A file that several tenants may change
 * counts for one whose other files change, if there is one.
 */
function partiesOf(policy: Policy, changed: readonly string[]): ReadonlyMap<string, string[]> {
  const parties = new Map<string, string[]>();
  const owned = changed.map((file) => ({ file, tenants: tenantsOf(policy, file) }));
  for (const { file, tenants } of owned.sort((left, right) => shared(left) - shared(right))) {
    const known = tenants.map((tenant) => partyText([tenant])).find((text) => parties.has(text));
    const party = known ?? partyText(tenants);
    addToGroup(parties, party, file);
  }
  return parties;
}

function shared({ tenants }: { readonly tenants: readonly unknown[] }): number {
  return tenants.length > 1 ? 1 : 0;
}

/** The folders of the files; the pool file and the policy by their own names. */
function placesText(files: readonly string[]): string {
  const places = files.map((file) =>
    file === poolsPath || file === policyPath ? file : file.slice(0, file.lastIndexOf('/')),
  );
  return enumerated([...new Set(places)]);
}

function enumerated(texts: readonly string[]): string {
  if (texts.length > mostNamed) {
    return `${texts.slice(0, mostNamed).join(', ')} and ${texts.length - mostNamed} more`;
  }
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text).join(' and ');
}

/** The place of a declaration in the head, and its file in the base. */
interface Handover {
  readonly from: string;
  readonly to: Position;
}

function handoverCautions(policy: Policy, base: Declared, head: Declared): Caution[] {
  const before = new Map(declarations(base).map(([name, { file }]) => [name, file]));
  const moved = declarations(head).flatMap(([name, to]): Handover[] => {
    const from = before.get(name);
    const isSame = from === undefined || tenantOf(policy, from) === tenantOf(policy, to.file);
    return isSame ? [] : [{ from, to }];
  });
  const whose = (file: string): string => `${file} of ${partyText(tenantsOf(policy, file))}`;
  return cautionsFor(moved, {
    one: ({ from, to }): Caution => ({
      code: 'TENANT_CHANGED',
      message: `a declaration moves from ${whose(from)} to ${whose(to.file)}`,
      at: planPlace('head', to),
    }),
    many: (shown, count): Caution => ({
      code: 'TENANT_CHANGED',
      message: `${count} declarations move to another tenant, including ${shown.map(({ to }) => to.file).join(', ')}`,
    }),
  });
}

/** Leases, Services, promises and hostnames by name, with their places. */
function declarations(declared: Declared): (readonly [string, Position])[] {
  const { leases, services, promises, hostnames } = declared;
  return [
    ...leases.map(({ cluster, id, at }) => [`${cluster} ${leaseIdText(id)}`, at] as const),
    ...services.map((one) => [`${one.cluster} ${serviceIdText(one)}`, one.at] as const),
    ...promises.map(({ holder, at }) => [`promise ${holder}`, at] as const),
    ...hostnames.map(({ cluster, hostname, at }) => [`${cluster} ${hostname}`, at] as const),
  ];
}
