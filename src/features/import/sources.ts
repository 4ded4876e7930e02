import type { Outcome } from '../../core/model/problem.ts';
import type { InputFile } from '../../core/text/yaml/template-hints.ts';
import { readClusterObjects } from './cluster/cluster-source.ts';
import type { Imported, PoolSource } from './imported.ts';
import { documentsOf, readMetalLB, type SourceDocuments } from './metallb/metallb-source.ts';
import { readKubespray } from './sources/kubespray-source.ts';
import { readVitistack } from './sources/vitistack-source.ts';

/** A source that is read from files. */
export interface FileSource {
  readonly name: PoolSource;
  /** For the help. */
  readonly description: string;
  /**
   * Reads the answers of a cluster when no file is named; undefined when the source has no live
   * form.
   */
  readonly readLive?: (answers: readonly SourceDocuments[]) => Outcome<Imported>;
  /** Reads all files together as one source. */
  read(files: readonly InputFile[]): Outcome<Imported>;
}

/** The sources that are read from files, in the order of the help. */
export const fileSources: readonly FileSource[] = [
  {
    name: 'cluster',
    description:
      'the pools, Services and Akash leases of a cluster; without a file, of the live one',
    readLive: (answers) => readClusterObjects(answers),
    read: (files) => readClusterObjects(files.map(documentsOf)),
  },
  {
    name: 'vitistack',
    description:
      "a cluster with vitistack's ipam-operator and its annotations; without a file, the live one",
    readLive: readVitistack,
    read: (files) => readVitistack(files.map(documentsOf)),
  },
  {
    name: 'metallb',
    description: "MetalLB's objects, or the ConfigMap of 0.12 and earlier",
    read: readMetalLB,
  },
  {
    name: 'kubespray',
    description: 'the variables of a Kubespray inventory; later files override earlier ones',
    read: readKubespray,
  },
];

/** NetBox is separate because its pools depend on the options of the command. */
export const netBoxSource: Omit<FileSource, 'read'> = {
  name: 'netbox',
  description: 'prefixes, IP ranges and IP addresses of NetBox, as its API answers or as CSV',
};
