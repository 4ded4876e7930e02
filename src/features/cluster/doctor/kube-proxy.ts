/** How kube-proxy serves, of its KubeProxyConfiguration. */
export interface KubeProxy {
  /** `iptables`, `ipvs`, `nftables`; empty for the platform's default. */
  readonly mode: string;
  readonly strictARP: boolean;
}
