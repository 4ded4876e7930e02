import { openSdl, requestsIn, type SdlEndpoint } from '../../../src/core/declarations/lease/sdl.ts';
import { type Outcome, ok, type Problem } from '../../../src/core/model/problem.ts';

/** The SDL of Akash's own test `deployment-v2-ip-endpoint.yaml`, in our words. */
export const simpleSdl = `version: "2.0"
services:
  web:
    image: ghcr.io/example/web
    expose:
      - port: 80
        to:
          - global: true
            ip: myip
profiles:
  compute:
    web:
      resources:
        cpu: { units: 0.1 }
        memory: { size: 128Mi }
        storage: { size: 512Mi }
  placement:
    west:
      pricing:
        web: { denom: uakt, amount: 10 }
deployment:
  web:
    west: { profile: web, count: 1 }
endpoints:
  myip: { kind: ip }
`;

/** The line of an SDL with its profiles: small ones, and placements that have a price for each. */
export function profilesLine(placements: readonly string[], profiles = ['web']): string {
  const resources = '{ cpu: { units: 1 }, memory: { size: 1Gi }, storage: { size: 1Gi } }';
  const compute = profiles.map((name) => `${name}: { resources: ${resources} }`);
  const prices = profiles.map((name) => `${name}: { denom: uakt, amount: 10 }`);
  const priced = placements.map((name) => `${name}: { pricing: { ${prices.join(', ')} } }`);
  return `profiles: { compute: { ${compute.join(', ')} }, placement: { ${priced.join(', ')} } }\n`;
}

/** The endpoints of one placement of an SDL. */
export function readSdl(
  file: string,
  bytes: Uint8Array,
  gseq: number,
): Outcome<readonly SdlEndpoint[]> {
  const sdl = openSdl(file, bytes);
  if (!sdl.ok) return sdl;
  const requests = requestsIn(sdl.value, { gseq, isRouted: false });
  return requests.ok ? ok(requests.value.endpoints) : requests;
}

/** The endpoints of an SDL that has no problem. */
export function endpointsIn(text: string, gseq = 1): readonly SdlEndpoint[] {
  const outcome = readSdl('leases/a.sdl.yaml', Buffer.from(text), gseq);
  if (!outcome.ok) throw new Error(`unexpected: ${JSON.stringify(outcome.problems)}`);
  return outcome.value;
}

/** The endpoints as `name service port>externalPort protocol`. */
export function endpointLines(text: string, gseq = 1): readonly string[] {
  return endpointsIn(text, gseq).map(
    ({ name, service, port, externalPort, protocol }) =>
      `${name} ${service} ${port}>${externalPort} ${protocol}`,
  );
}

/** The problems of an SDL; none when it has endpoints. */
export function problemsIn(text: string, gseq = 1): readonly Problem[] {
  const outcome = readSdl('leases/a.sdl.yaml', Buffer.from(text), gseq);
  return outcome.ok ? [] : outcome.problems;
}

/** The problems as `CODE line:column`. */
export function problemLines(text: string, gseq = 1): readonly string[] {
  return problemsIn(text, gseq).map(({ code, at }) => `${code} ${at.line}:${at.column}`);
}

/** Puts `replacement` where `original` stands, which must be there once. */
export function edited(text: string, original: string, replacement: string): string {
  if (text.split(original).length !== 2) throw new Error(`not there once: ${original}`);
  return text.replace(original, () => replacement);
}
