/** Paths of a site. */
export interface SitePaths {
  readonly web: string;
  readonly logs: string;
  readonly proofs: string;
  /** Socket of its PHP. */
  readonly socket: string;
  /** Folder of chain.pem and key.pem. */
  readonly certificate: string;
  /** Folder of password files. */
  readonly passwords: string;
}
