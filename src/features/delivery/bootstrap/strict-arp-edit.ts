/** The edited configuration of kube-proxy. */
export interface StrictARPEdit {
  readonly text: string;
  /** `strict` and `unneeded` leave it as it is: it has strict ARP, or runs in a mode that needs none. */
  readonly state: 'changed' | 'strict' | 'unneeded';
  /** As it says it; empty for the default. */
  readonly mode: string;
}
