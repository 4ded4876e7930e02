import { type Check, objectsOf } from './facts.ts';

const label = 'pod-security.kubernetes.io/enforce';

/** POD_SECURITY; nothing when the namespace is not there, which METALLB_NAMESPACE tells. */
export const checkPodSecurity: Check = ({ namespaces }, { cluster }) => {
  const code = 'POD_SECURITY';
  const name = cluster.metallb.namespace;
  const namespace = objectsOf(namespaces).find(({ metadata }) => metadata.name === name);
  if (!namespace) return [];
  const level = namespace.metadata.labels?.[label];
  if (level === 'privileged') {
    return [{ level: 'ok', code, found: `the namespace ${name} lets privileged pods start` }];
  }
  const fix = 'label the namespace';
  const command = `kubectl label namespace ${name} ${label}=privileged --overwrite`;
  if (level === undefined) {
    const found = `the namespace ${name} has no label ${label}`;
    const means = "speakers start only while the cluster's default is privileged";
    return [{ level: 'caution', code, found, means, fix, command }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `the namespace ${name} has ${label}=${level}`,
      means: "MetalLB's speakers use the network of the host and are not started",
      fix,
      command,
    },
  ];
};
