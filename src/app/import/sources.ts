import { readKubespray } from '../../codec/kubespray-source.ts';
import { readMetalLB } from '../../codec/metallb-source.ts';
import type { Imported, ImportFile, ImportSource } from '../../model/import.ts';
import type { Outcome } from '../../model/problem.ts';

/** One thing that can be imported from files. */
export interface FileSource {
  readonly name: ImportSource;
  /** For the help. */
  readonly description: string;
  /** Reads all files as one source. */
  read(files: readonly ImportFile[]): Outcome<Imported>;
}

/** The sources that are files, in the order of the help. */
export const fileSources: readonly FileSource[] = [
  {
    name: 'metallb',
    description: "MetalLB's objects, or the ConfigMap of 0.12 and before",
    read: readMetalLB,
  },
  {
    name: 'kubespray',
    description: 'the variables of a Kubespray inventory, of which later files count more',
    read: readKubespray,
  },
];
