import { hostnameHolder, type ServiceHostname } from '../../core/model/hostname.ts';
import type { Policy, Tenant } from '../../core/model/policy.ts';
import { declarationsFolder, leasesFolder } from '../../core/model/repository-paths.ts';
import type { DeclaredService } from '../../core/model/service.ts';
import type { Declared } from '../../core/tree/declared.ts';

/** The folder of the namespace's other hostnames, or of its Services. */
export function hostnameFolder(
  declared: Declared,
  wanted: Pick<ServiceHostname, 'cluster' | 'namespace'>,
): string {
  const holder = hostnameHolder(wanted.cluster, wanted.namespace);
  const others = declared.hostnames.filter((other) => other.holder === holder);
  return commonFolder(others) ?? serviceFolder(declared, wanted);
}

/** The folder of the owner's other leases, or of its tenant; undefined for the usual one. */
export function leaseFolder({ leases, policy }: Declared, owner: string): string | undefined {
  const others = leases.filter(({ id }) => id.owner === owner);
  const isTenant = ({ owners }: Tenant): boolean => owners.includes(owner);
  return commonFolder(others) ?? tenantFolder(policy, isTenant);
}

/** The folder of the namespace's other Services, or of its tenant, or of the namespace. */
export function serviceFolder(
  { services, policy, pools }: Declared,
  { cluster, namespace }: Pick<DeclaredService, 'cluster' | 'namespace'>,
): string {
  const others = services.filter(
    (other) => other.cluster === cluster && other.namespace === namespace,
  );
  const isTenant = ({ namespaces }: Tenant): boolean =>
    namespaces.some(
      (one) => one.name === namespace && (one.cluster === undefined || one.cluster === cluster),
    );
  const several = (pools?.clusters.length ?? 1) > 1;
  return (
    commonFolder(others) ??
    tenantFolder(policy, isTenant) ??
    declarationsFolder(several ? cluster : undefined, namespace)
  );
}

/** The folder below `leases/` that has all these declarations; undefined when there is none. */
function commonFolder(
  declarations: readonly { readonly at: { readonly file: string } }[],
): string | undefined {
  const folders = declarations.map(({ at }) => at.file.slice(0, at.file.lastIndexOf('/')));
  const [only, other] = new Set(folders);
  return other === undefined && only !== leasesFolder ? only : undefined;
}

function tenantFolder(
  policy: Policy | undefined,
  isTenant: (tenant: Tenant) => boolean,
): string | undefined {
  return policy?.tenants.find(isTenant)?.folders[0];
}
