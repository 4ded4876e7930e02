import type { FindingCode } from '../../model/codes/finding-codes.ts';

/**
 * How a finding stands: `problem` has to be cured, `caution` wants a look, `unknown` could not be
 * looked at.
 */
export type Level = 'ok' | 'caution' | 'problem' | 'unknown';

/** One thing that `leasehold doctor` looked at. Texts are single sentences without a trailing period. */
export interface Finding {
  readonly level: Level;
  readonly code: FindingCode;
  /** What was found. */
  readonly found: string;
  /** What follows from it. */
  readonly means?: string;
  /** What to do. */
  readonly fix?: string;
  /** A shell command to copy that does it. */
  readonly command?: string;
}

/** What `leasehold doctor -o json` prints: the findings in the order of their codes. */
export interface Diagnosis {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Diagnosis';
  /** The declared cluster that it is for. */
  readonly cluster: string;
  /** The cluster that was asked: context and server. */
  readonly asked: string;
  /** True when there is no problem. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** How kube-proxy serves, of its KubeProxyConfiguration. */
export interface KubeProxy {
  /** `iptables`, `ipvs`, `nftables`; empty for the platform's default. */
  readonly mode: string;
  readonly strictARP: boolean;
}
