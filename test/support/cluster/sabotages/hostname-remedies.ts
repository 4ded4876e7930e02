/**
 * What verify says to do about hostnames, and why no test does it. names.test.ts has Traefik, external-dns and what
 * verify says of them. The texts of all are in the unit tests.
 */
export const hostnameRemedies: readonly (readonly [says: RegExp, why: string])[] = [
  [
    /(?:^|delete HTTPRoute \S+, or )remove the hostname from it|allow HTTPRoutes of this namespace|^give the Gateway a listener|give the Gateway a listener whose hostname|create the Service in the namespace of the route|backendRefs of the route|check that the Gateway exists|remove controller from routes|set routes of the cluster to kind: Ingress|set emit\.dnsEndpoints to false/,
    'no test does it as it is printed: a first one on Traefik did not end',
  ],
  [
    /name its hostnames|delete …, or …: … is a hostname/,
    'names.test.ts deletes a route with the hostname; one that takes it from a listener is not played',
  ],
  [
    /listener for HTTP or HTTPS|^read the message|appProtocol|(?:^|: )find what adds filters|^wait; |^check that the Service exists|^read the status of the Gateway/,
    'Traefik gives this reason for no route that leasehold writes',
  ],
  [
    /^apply it, or correct gateway|prints into the Gateway|^put what leasehold list -o values/,
    'the Traefik of names.test.ts has no Service of its Gateway and writes no addresses into its status',
  ],
  [/NGINX Gateway Fabric|another policy of the route/, 'no NGINX Gateway Fabric runs here'],
];
