import type { TreeMap } from '../../../core/manifests/manifest.ts';
import { type AccessTarget, verifyAccess } from './access.ts';
import { cloneFolder, type GitPod, gitPodSpec } from './git-pod.ts';

/** How `leasehold verify` runs in a cluster, again and again. */
export interface VerifyJob extends GitPod {
  /** The name of the CronJob and the ServiceAccount. */
  readonly name: string;
  readonly namespace: string;
  /** When it runs, in the five fields of cron. */
  readonly schedule: string;
  /** The cluster of the pool file that is compared. */
  readonly cluster: string;
  readonly plane: AccessTarget['plane'];
  /** True to connect to each address too. */
  readonly reaches: boolean;
  /** True to add a PrometheusRule of the Prometheus Operator. */
  readonly isMonitored: boolean;
}

/**
 * Seconds after which a run is ended. `verify` waits for two minutes until all is well. With
 * `--reach`, a comparison of many addresses that do not answer takes minutes too.
 */
const deadline = 600;

/**
 * A ServiceAccount with the permissions of `leasehold verify`, and a CronJob that clones the branch
 * and compares the cluster with it. A Job fails when `verify` ends with another status than 0, and
 * its log has the table.
 */
export function verifyJobObjects(job: VerifyJob): readonly TreeMap[] {
  const { name, namespace, plane } = job;
  const labels = {
    'app.kubernetes.io/component': 'verify',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/name': 'leasehold',
  };
  const metadata = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...verifyAccess({ account: { namespace, name }, plane }, `${namespace}:${name}-cronjob`),
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: {
        schedule: job.schedule,
        concurrencyPolicy: 'Forbid',
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 3,
        jobTemplate: {
          spec: {
            backoffLimit: 0,
            activeDeadlineSeconds: deadline,
            template: { metadata: { labels }, spec: podOf(job) },
          },
        },
      },
    },
    ...(job.isMonitored ? [ruleOf(metadata)] : []),
  ];
}

function podOf(job: VerifyJob): TreeMap {
  return {
    serviceAccountName: job.name,
    restartPolicy: 'Never',
    ...gitPodSpec(job, {
      name: 'verify',
      command: ['leasehold'],
      args: [
        'verify',
        `--directory=${cloneFolder}`,
        `--cluster=${job.cluster}`,
        // A sync may be under way: MetalLB and the engine get the time to finish it.
        '--timeout=2m',
        ...(job.reaches ? ['--reach'] : []),
      ],
    }),
  };
}

/**
 * Alerts by the metrics of kube-state-metrics. While a run lasts, the last success is older than
 * the last start: the alert waits longer than a run can last. Each replica of kube-state-metrics
 * has both metrics with equal labels, so they are compared by all labels.
 */
function ruleOf(
  metadata: TreeMap & { readonly name: string; readonly namespace: string },
): TreeMap {
  const selector = `{namespace="${metadata.namespace}",cronjob="${metadata.name}"}`;
  const started = `kube_cronjob_status_last_schedule_time${selector}`;
  const passed = `kube_cronjob_status_last_successful_time${selector}`;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata,
    spec: {
      groups: [
        {
          name: metadata.name,
          rules: [
            {
              alert: 'LeaseholdDrift',
              expr: `${started} unless (${passed} >= ${started})`,
              for: '15m',
              labels: { severity: 'warning' },
              annotations: {
                summary:
                  'The cluster differs from the leases in git, or `leasehold verify` cannot run.',
                description: `The log of the last Job of the CronJob ${metadata.namespace}/${metadata.name} has the differences.`,
              },
            },
            {
              alert: 'LeaseholdVerifyMissing',
              expr: `absent(kube_cronjob_info${selector})`,
              for: '1h',
              labels: { severity: 'warning' },
              annotations: {
                summary: `The CronJob ${metadata.namespace}/${metadata.name} does not exist.`,
              },
            },
          ],
        },
      ],
    },
  };
}
