import { expect, test } from 'vitest';
import { nodePortProblems } from '../../../../src/manifests/rules/node-port-problems.ts';
import { startOf } from '../../../../src/model/problem.ts';
import { aReservation, aService } from '../../../support/service-builders.ts';

/** A Service with the node port 30080. */
function onNodePort(cluster: string, name: string) {
  const at = startOf(`leases/${cluster}/${name}.yaml`);
  return aService({ cluster, name, nodePorts: [{ port: 30_080, at }] });
}

test('a node port is that of one Service of a cluster', () => {
  const problems = nodePortProblems([onNodePort('east', 'a'), onNodePort('east', 'b')]);
  expect(problems).toMatchObject([
    {
      code: 'NODE_PORT_TAKEN',
      at: startOf('leases/east/b.yaml'),
      also: [startOf('leases/east/a.yaml')],
    },
  ]);
});

test('Services of two clusters have the same node port, and a Reservation has none', () => {
  const services = [onNodePort('east', 'a'), onNodePort('west', 'a'), aReservation()];
  expect(nodePortProblems(services)).toEqual([]);
});
