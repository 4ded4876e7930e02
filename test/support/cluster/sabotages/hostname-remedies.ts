/**
 * What verify says to do about hostnames, which test/cluster/names.test.ts does with Traefik and external-dns as it is
 * printed. Each must heal; a line that it does not do fails it.
 */
export const doneWithNames = {
  rival: /(?:^|delete HTTPRoute \S+, or )remove the hostname from it/,
  namespaces: /allow HTTPRoutes of this namespace in allowedRoutes of a listener of the Gateway/,
  listener: /give the Gateway a listener whose hostname includes this one, or without a hostname/,
  backend: /create the Service in the namespace of the route, or correct the service of the/,
  references: /find what changes the backendRefs of the route: leasehold writes a Service of its/,
  gateway: /check that the Gateway exists and that its controller runs/,
  controller: /remove controller from routes of the cluster/,
  routes: /set routes of the cluster to kind: Ingress/,
  records: /set emit\.dnsEndpoints to false/,
} as const;

/** The others, and why none is done. The texts of all are in the unit tests. */
export const notDoneWithNames: readonly (readonly [says: RegExp, why: string])[] = [
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
