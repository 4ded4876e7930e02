import { join } from 'node:path';
import { inScope } from '../../run/scope.ts';
import type { KubeObject } from '../kube.ts';
import { objectsBelow } from '../manifests.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Keeper, Running } from './keeper.ts';

/** The Cilium versions whose LB-IPAM the suite runs. */
export const ciliumVersions = ['1.18.5', '1.20.2'] as const;

/** Those of this run: the newest, and in a full run all. */
export const ciliumHere: readonly CiliumVersion[] = inScope(
  ciliumVersions,
  (version) => version === ciliumVersions.at(-1),
);

/** A Cilium version that the suite runs. */
export type CiliumVersion = (typeof ciliumVersions)[number];

/** Cilium's own LB-IPAM at work on a control plane. Nothing announces: no agent runs. */
export interface LBIPAM {
  readonly program: () => Running;
  /** Kills it, as a node that is lost does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Cilium's published definitions of what leasehold writes. */
function ciliumDefinitions(version: CiliumVersion): readonly KubeObject[] {
  return objectsBelow(programFolder(`cilium-${version}`)).filter(
    ({ kind }) => kind === 'CustomResourceDefinition',
  );
}

/** Applies the definitions and starts LB-IPAM, which sleeps until there is a pool. */
export async function startLBIPAM(
  keeper: Keeper,
  { kube, kubeconfig }: ControlPlane,
  version: CiliumVersion,
): Promise<LBIPAM> {
  for (const definition of ciliumDefinitions(version)) await kube.apply(definition);
  for (const definition of ciliumDefinitions(version)) {
    const { group, names, versions } = definition.spec;
    const isServed = async () =>
      (await kube.serves(`${group}/${versions[0].name}`, names.kind)) || undefined;
    await until(isServed, { what: `served ${names.plural}` });
  }
  const start = () =>
    keeper.start({
      name: 'lb-ipam',
      command: join(programFolder(`cilium-${version}`), 'lb-ipam'),
      // The values of the real operator.
      args: [
        `--k8s-kubeconfig-path=${kubeconfig}`,
        '--k8s-client-qps=100',
        '--k8s-client-burst=200',
      ],
    });
  let program = await start();
  return {
    program: () => program,
    kill: () => program.stop('SIGKILL'),
    async start() {
      program = await start();
    },
  };
}
