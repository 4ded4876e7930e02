// A workspace as a provider has it: leases with ports written out and from SDLs, Services, addresses shared and dual stack. The shares
// are fixed: each twenty declarations in a row are alike. The same count gives the same bytes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { address, leasePath } from './workspace.mjs';

/** What each twenty declarations are: how many, in words, and what writes the texts of one, by the end of their names. */
const kinds = [
  [7, 'a lease with one port', (index) => lease(index, [port()])],
  [1, 'a lease with two addresses', twoAddresses],
  [2, 'a lease with three ports on one address', threePorts],
  [1, 'a lease that adds a port to the address of another', moreOfTheOneBefore],
  [1, 'a lease with IPv4 and IPv6', (index) => lease(index, [port({ ipFamily: 'dual' })])],
  [3, "a lease of a tenant's SDL, two ports on one address", fromSdl],
  [2, 'a Service with two ports', (index) => service(index, '', [80, 443])],
  [1, 'a Service with IPv4 and IPv6', dualService],
  [2, 'a Service that shares an address with another', sharingService],
];
const slots = kinds.flatMap(([count, , textsOf]) => Array.from({ length: count }, () => textsOf));

/** The shares in a sentence. */
export const mix = `${kinds.map(([count, name]) => `${(count / slots.length) * 100} % ${name}`).join('; ')}.`;

/** Writes a repository of `count` declarations, Namespaces included. */
export function writeMixed(folder, count) {
  mkdirSync(join(folder, 'leases'), { recursive: true });
  writeFileSync(join(folder, 'leases/pools.yaml'), pools);
  for (let index = 0; index < count; index += 1) writeDeclaration(folder, index);
}

/** Writes one declaration, and its SDL. */
export function writeDeclaration(folder, index) {
  const path = join(folder, leasePath(index));
  if (index < 256) mkdirSync(dirname(path), { recursive: true });
  const texts = slots[index % slots.length](index);
  for (const [ending, text] of Object.entries(texts)) {
    writeFileSync(path.replace('.yaml', ending), text);
  }
}

const pools = `apiVersion: leasehold.dev/v1
kind: Pools
provider: ${address('provider')}
defaultZone: inet
pools:
  - name: default
    zone: inet
    addresses: [10.0.0.0/12, 2001:db8:1::/64]
    reserved: [10.0.0.1]
    retentionDays: 1
  - name: edge
    zone: edge
    addresses: [172.16.0.0/13]
quotas: { default: 64 }
`;

/** Four leases in a row are of one owner, each with an endpoint of its own. */
const ownerOf = (index) => address(`owner ${Math.floor(index / 4)}`);
const endpointOf = (index) => `web${index % 4}`;
const namespaceOf = (index) => `shop-${Math.floor(index / 20)}`;

const port = (more = {}) => ({ port: 8080, externalPort: 80, ...more });

function twoAddresses(index) {
  return lease(index, [port(), port({ name: 'mail', port: 25, externalPort: 25 })]);
}

function threePorts(index) {
  const https = { port: 8443, externalPort: 443 };
  return lease(index, [port(), port(https), port({ ...https, protocol: 'UDP' })]);
}

function moreOfTheOneBefore(index) {
  const name = endpointOf(index - 1);
  return lease(index, [port({ name, port: 9000, externalPort: 9000 })]);
}

function lease(index, ports) {
  const endpoints = ports.map(({ name = endpointOf(index), ...fields }) =>
    Object.entries({ name, service: 'web', ...fields })
      .map(([key, value], nth) => `    ${nth === 0 ? '-' : ' '} ${key}: ${value}\n`)
      .join(''),
  );
  return { '.yaml': `${leaseHead(index)}  endpoints:\n${endpoints.join('')}` };
}

function leaseHead(index) {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${ownerOf(index)}
    dseq: '${1_000_000 + index}'
    gseq: 1
    oseq: 1
`;
}

function fromSdl(index) {
  const sdl = `version: '2.0'
endpoints:
  ${endpointOf(index)}:
    kind: ip
services:
  web:
    image: registry.example.com/web:1.${index}
    env:
      - MODE=production
    expose:
      - port: 8080
        as: 80
        to:
          - global: true
            ip: ${endpointOf(index)}
      - port: 8443
        as: 443
        to:
          - global: true
            ip: ${endpointOf(index)}
  store:
    image: registry.example.com/store:16
    expose:
      - port: 5432
        to:
          - service: web
profiles:
  compute:
    web:
      resources:
        cpu:
          units: 1
        memory:
          size: 1Gi
        storage:
          size: 5Gi
    store:
      resources:
        cpu:
          units: 0.5
        memory:
          size: 512Mi
        storage:
          size: 10Gi
  placement:
    rack:
      pricing:
        web:
          denom: uakt
          amount: 1000
        store:
          denom: uakt
          amount: 1000
deployment:
  web:
    rack:
      profile: web
      count: 1
  store:
    rack:
      profile: store
      count: 1
`;
  const name = leasePath(index).replace(/^.*\//, '').replace('.yaml', '.sdl.yaml');
  return { '.yaml': `${leaseHead(index)}  sdl: ${name}\n`, '.sdl.yaml': sdl };
}

function dualService(index) {
  return service(index, '    ipam.vitistack.io/ip-family: dual\n', [80]);
}

/** Two in a row have one key, each with a port of its own. */
function sharingService(index) {
  const annotations = `    ipam.vitistack.io/zone: edge
    ipam.vitistack.io/allow-local-shared-ip: front
    ipam.vitistack.io/retention-period-days: '7'
`;
  return service(index, annotations, [8000 + (index % 2)]);
}

function service(index, annotations, ports) {
  const name = `app-${index}`;
  const noted = annotations && `  annotations:\n${annotations}`;
  const listed = ports.map((number) => `    - name: p${number}\n      port: ${number}\n`);
  const text = `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: ${namespaceOf(index)}
${noted}spec:
  type: LoadBalancer
  selector:
    app: ${name}
  ports:
${listed.join('')}`;
  return { '.yaml': text };
}
