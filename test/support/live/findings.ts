import { readPools } from '../../../src/core/declarations/pools/pools-file.ts';
import { diagnose } from '../../../src/features/cluster/diagnose.ts';
import type { Finding } from '../../../src/features/cluster/diagnosis-answer.ts';
import type { FindingCode } from '../../../src/features/cluster/doctor/finding-codes.ts';
import type { LiveCheck } from '../../../src/lib/kubernetes/doctor-checks.ts';
import { poolsText, providerPoolsText } from '../declarations/pools-text.ts';
import { HealthyCluster, type Live } from './healthy-cluster.ts';

/** What differs from a pool file with one pool, 203.0.113.0/28, that is advertised by L2. */
export interface Declared {
  /** The fields of `metallb`. */
  readonly metallb?: string;
  readonly advertise?: string;
  /** Beside 203.0.113.0/28. */
  readonly addresses?: string;
  readonly providerLeasedIP?: boolean;
  readonly providerHost?: boolean;
  /** The pool file names an Akash provider. */
  readonly provider?: boolean;
  /** The cluster routes hostnames. */
  readonly routes?: boolean;
  /** The clusters, as the pool file has them; that of the findings is the first. */
  readonly clusters?: string;
  readonly networkPolicies?: boolean;
  readonly naming?: 'akash' | 'readable';
  /** The checks of features. */
  readonly checks?: readonly LiveCheck[];
  /** The names of the IPAddressPools that `dist/` has. */
  readonly written?: readonly string[];
}

/** All findings of a cluster in memory. */
export async function findings(
  live: Live = {},
  declared: Declared = {},
): Promise<readonly Finding[]> {
  const { metallb = 'version: 0.14.9', advertise = 'l2: {}', naming = 'akash' } = declared;
  const { providerLeasedIP = true, providerHost = true, networkPolicies = true } = declared;
  const { clusters = '{ name: default, routes: { kind: Ingress, className: nginx } }' } = declared;
  const hasClusters = declared.routes || declared.clusters !== undefined;
  const textOf = declared.provider ? providerPoolsText : poolsText;
  const text = textOf(`metallb: { ${metallb} }
naming: ${naming}
emit: { providerLeasedIP: ${providerLeasedIP}, networkPolicies: ${networkPolicies}, providerHost: ${providerHost} }
${hasClusters ? `clusters: [${clusters}]\n` : ''}${declared.clusters ? 'defaultCluster: west\n' : ''}pools:
  - name: public
    zone: inet
    addresses: [203.0.113.0/28${declared.addresses ?? ''}]
    reserved: [203.0.113.1]
    advertise: ${advertise.startsWith('[') ? advertise : `{ ${advertise} }`}
`);
  const pools = readPools('leases/pools.yaml', Buffer.from(text));
  if (!pools.ok) throw new Error(JSON.stringify(pools.problems));
  const diagnosis = await diagnose(
    new HealthyCluster(live),
    pools.value,
    pools.value.clusters[0]!,
    { written: new Set(declared.written), checks: declared.checks ?? [] },
  );
  return diagnosis.findings;
}

/** The findings of one code. */
export async function findingsOf(
  code: FindingCode,
  live: Live = {},
  declared: Declared = {},
): Promise<readonly Finding[]> {
  return (await findings(live, declared)).filter((finding) => finding.code === code);
}

/** The level of the only finding of one code; `none` when there is no finding, `many` for several. */
export async function levelOf(
  code: FindingCode,
  live: Live = {},
  declared: Declared = {},
): Promise<string> {
  const [finding, second] = await findingsOf(code, live, declared);
  return second ? 'many' : (finding?.level ?? 'none');
}
