/**
 * The annotations by which LB-IPAM reads what a Service asks for; of two names the newer is first.
 * Cilium: pkg/annotation/k8s.go.
 */
export const pinKeys = {
  addresses: ['lbipam.cilium.io/ips', 'io.cilium/lb-ipam-ips'],
  sharingKey: 'lbipam.cilium.io/sharing-key',
  crossNamespace: 'lbipam.cilium.io/sharing-cross-namespace',
} as const;
