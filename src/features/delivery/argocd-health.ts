import { managedBy } from '../../manifests/metadata.ts';
import { yamlText } from '../../manifests/yaml-text.ts';

/**
 * A patch of the ConfigMap `argocd-cm`: with it Argo CD calls a Service of leasehold's healthy once it has the addresses
 * that it is pinned to, and not as soon as it has any. Every other Service is judged as Argo CD judges it by itself
 * (gitops-engine: pkg/health/health_service.go). What it is for is explained in docs/gitops.md.
 */
export function argocdHealthText(): string {
  return yamlText([{ data: { 'resource.customizations.health.Service': serviceHealth } }]);
}

const [[label, ours]] = Object.entries(managedBy) as [[string, string]];

/** Argo CD gives a script Lua's tables, and not its texts: two addresses are compared in both orders. */
const serviceHealth = `local annotations = obj.metadata.annotations or {}
local labels = obj.metadata.labels or {}
local ingress = obj.status and obj.status.loadBalancer and obj.status.loadBalancer.ingress or {}
if obj.spec.type ~= "LoadBalancer" then
  return { status = "Healthy" }
end
if #ingress == 0 then
  return { status = "Progressing", message = "waits for an address" }
end
if labels["${label}"] ~= "${ours}" then
  return { status = "Healthy" }
end
local wanted = obj.spec.loadBalancerIP
  or annotations["metallb.io/loadBalancerIPs"]
  or annotations["metallb.universe.tf/loadBalancerIPs"]
local first = ingress[1].ip or ""
local second = ingress[2] and ingress[2].ip or ""
local both = { first .. "," .. second, second .. "," .. first }
if wanted == nil
  or (#ingress == 1 and wanted == first)
  or (#ingress == 2 and (wanted == both[1] or wanted == both[2]))
then
  return { status = "Healthy" }
end
return { status = "Progressing", message = "waits for " .. wanted }
`;
