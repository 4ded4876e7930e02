/** What a chart's values must say so that the Service it renders stands on a reserved address. */
export interface ChartValues {
  readonly holder: string;
  readonly cluster: string;
  readonly namespace: string;
  /** The name of the Service. */
  readonly service: string;
  /** Where the Reservation is declared. */
  readonly file: string;
  /** Canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** MetalLB's: the pin and the sharing key. */
  readonly annotations: { readonly [key: string]: string };
  readonly labels: { readonly [key: string]: string };
  readonly ipFamilyPolicy: string;
  readonly ipFamilies: readonly string[];
  /** In place of the annotation that pins, never beside it; only for one address. */
  readonly loadBalancerIP?: string;
  /** Where MetalLB serves Services of one class only. */
  readonly loadBalancerClass?: string;
}
