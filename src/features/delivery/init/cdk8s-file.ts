/** The version of the CLI that leasehold is tested with; a test holds it to package.json. */
export const cdk8sCli = '2.207.60';

/** `cdk8s.yaml`: `cdk8s synth` does what `leasehold synth` does. */
export const cdk8sText = `# cdk8s synth gives the same bytes as leasehold synth: the app writes dist/ and leases/allocations/
# itself. cdk8s empties its output folder before it runs the app, so that folder is never dist/.
language: typescript
app: node node_modules/leasehold/build/src/main.js
output: .leasehold/cdk8s
`;
