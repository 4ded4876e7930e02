/**
 * What verify says to do about hostnames and names.test.ts does: it brings each about on MetalLB, Traefik and external-dns,
 * does what is printed, and waits for a verify that is ok.
 */
export const healedInNames = {
  namespaces:
    /^allow HTTPRoutes of this namespace in allowedRoutes of a listener for HTTP or HTTPS that is Programmed in the status of the Gateway$/,
  hostname: /^give the Gateway a listener whose hostname includes this one, or without a hostname$/,
  listener: /^give the Gateway a listener for HTTP or HTTPS that is Programmed in its status$/,
  backend:
    /^create the Service with the port in the namespace of the route, or correct service and port of the declaration$/,
  protocol: /^give the port of the Service an appProtocol that the controller supports, or none$/,
  references:
    /^find what changes the backendRefs of the route, or correct the BackendTLSPolicy of its Service: leasehold writes a Service of its own namespace$/,
  kinds:
    /^find what changes the backendRefs of the route: leasehold writes a Service of its own namespace$/,
  gateway:
    /^create it, or correct gateway in routes of the cluster in leases\/pools\.yaml and run `leasehold synth`$/,
  silent: /^check that the Gateway exists and that its controller runs$/,
  rival: /^delete …, or …: … is a hostname|(?:^|^delete \w+ \S+, or )remove the hostname from it/,
  taken: /(?:^|^delete \w+ \S+, or )name its hostnames/,
  options:
    /^install NGINX Gateway Fabric 2\.4 or later, or remove the HTTP options of the hostnames and run `leasehold synth`$/,
  routes:
    /^install the CRDs of the Gateway API, or set routes of the cluster to kind: Ingress in leases\/pools\.yaml and run `leasehold synth`$/,
  records:
    /^apply external-dns's CRDs, or set emit\.dnsEndpoints to false in leases\/pools\.yaml and run `leasehold synth`$/,
} as const;

/** What names.test.ts does not do, and why. The texts are in the unit tests. */
export const unhealedInNames: readonly (readonly [says: RegExp, why: string])[] = [
  [
    /^read the message for the value|(?:^|: )find what adds filters|^wait; |^check that the Service exists|^read the status of the Gateway/,
    'Traefik 3.7 gives no route such a reason',
  ],
  [
    /^apply it, or correct gateway in the Reservation|^put what `leasehold list -o values`|^read the message, and the log of the controller of the Gateway/,
    'Traefik makes no Service of a Gateway, and the one here tells an address of its own in the status',
  ],
  [
    /^check that NGINX Gateway Fabric|another policy of the route/,
    'no NGINX Gateway Fabric runs here',
  ],
];
