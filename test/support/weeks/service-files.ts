import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LeaseCheckout } from '../repositories/lease-checkout.ts';
import type { Desk } from './job.ts';

const folder = 'leases/shop';

/** The file of a new Service. */
export function newFile(name: string): string {
  return `${folder}/${name}.yaml`;
}

/** The files in the folder of the Services, with their texts. */
function filesIn(root: string): readonly (readonly [path: string, text: string])[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .sort()
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')]);
}

const serviceName = /^kind: Service\n(?:.*\n)*? {2}name: (\S+)$/m;

/** The file that declares a Service, which keeps its name when the Service gets another one. */
export function serviceFile({ root }: LeaseCheckout, name: string): string {
  const found = filesIn(root).find(([, text]) => serviceName.exec(text)?.[1] === name);
  if (!found) throw new Error(`no file declares ${name}`);
  return found[0];
}

export function serviceText(name: string, port: number, annotations = ''): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop
  annotations: {${annotations}}
spec:
  type: LoadBalancer
  selector: { app: ${name} }
  ports: [{ port: ${port} }]
`;
}

/** The names of the declared Services, sorted: of those that join, the first one by name keeps its address. */
export function servicesIn(root: string): readonly string[] {
  return filesIn(root)
    .flatMap(([, text]) => serviceName.exec(text)?.[1] ?? [])
    .sort();
}

/** Adds an annotation to the declaration of a Service. */
export function annotate({ checkout }: Desk, service: string, annotation: string): boolean {
  const text = checkout.read(serviceFile(checkout, service));
  const [key = ''] = annotation.split(':');
  if (text.includes(key)) return false;
  const comma = /annotations: \{ *\}/.test(text) ? '' : ', ';
  checkout.put(
    serviceFile(checkout, service),
    text.replace(
      /annotations: \{(.*)\}/,
      (_, before) => `annotations: {${before}${comma}${annotation}}`,
    ),
  );
  return true;
}

/** Renames the declaration of a Service by hand, as `git mv` and an editor do. */
export function renameByHand({ checkout }: Desk, from: string, to: string): void {
  const text = checkout.read(serviceFile(checkout, from));
  checkout.put(serviceFile(checkout, from), '');
  checkout.put(newFile(to), text.replace(`name: ${from}\n`, `name: ${to}\n`));
}
