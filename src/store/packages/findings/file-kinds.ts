import type { FindingSeverity } from './finding.js';

/** What the first bytes or the name of a file tell. */
export interface FileKind {
  readonly rule: 'binary' | 'wasm' | 'archive';
  readonly severity: FindingSeverity;
  /** Such as `ELF`. */
  readonly kind: string;
}

/** Enough of a file's beginning for {@link kindOfContent}. */
export const KIND_BYTES = 512;

const magic = (hex: string, rule: FileKind['rule'], severity: FindingSeverity, kind: string, at = 0): { bytes: Buffer; at: number; result: FileKind } => ({
  bytes: Buffer.from(hex, 'hex'),
  at,
  result: { rule, severity, kind },
});

const MAGIC = [
  magic('7f454c46', 'binary', 'danger', 'ELF'),
  magic('4d5a', 'binary', 'danger', 'PE'),
  ...['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', 'cafebabf'].map((hex) => magic(hex, 'binary', 'danger', 'Mach-O')),
  magic('6465780a', 'binary', 'danger', 'DEX'),
  magic('0061736d', 'wasm', 'warning', 'WebAssembly'),
  magic('504b0304', 'archive', 'warning', 'ZIP'),
  magic('504b0506', 'archive', 'warning', 'ZIP'),
  magic('1f8b', 'archive', 'warning', 'gzip'),
  magic('377abcaf271c', 'archive', 'warning', '7z'),
  magic('526172211a07', 'archive', 'warning', 'RAR'),
  magic('fd377a585a00', 'archive', 'warning', 'xz'),
  magic('425a68', 'archive', 'warning', 'bzip2'),
  magic('28b52ffd', 'archive', 'warning', 'Zstandard'),
  magic('7573746172', 'archive', 'warning', 'tar', 257),
];

/** Programs, WebAssembly and archives by their first bytes; null for anything else. */
export function kindOfContent(start: Buffer): FileKind | null {
  const found = MAGIC.find(({ bytes, at }) => start.subarray(at, at + bytes.length).equals(bytes))?.result ?? null;
  // Two letters are not enough: a text may begin with "MZ" or "BZh".
  return found && (found.kind === 'PE' || found.kind === 'bzip2') && !start.includes(0) ? null : found;
}

/** Names of files that carry programs or secrets, or were packed by mistake. */
export const NAME_RULES: readonly { rule: string; severity: FindingSeverity; pattern: RegExp }[] = [
  { rule: 'vcs', severity: 'warning', pattern: /(?:^|\/)(?:\.git|\.svn|\.hg|\.bzr|CVS|_darcs)\//i },
  { rule: 'secret_file', severity: 'danger', pattern: /(?:^|\/)(?:\.env(?:\.(?!example|sample|dist)[^/]*)?|\.npmrc|\.pypirc|\.netrc|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$/i },
  { rule: 'program_file', severity: 'warning', pattern: /\.(?:exe|dll|so|dylib|node|bat|cmd|ps1|sh|vbs|scr|msi|com|jar|phar|apk|deb|rpm)$/i },
  { rule: 'data_file', severity: 'info', pattern: /\.(?:sqlite3?|db|sql|bak|log|dump)$/i },
];

/** Files whose hidden characters and long lines matter: what a machine runs or reads as settings. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|json|php\d?|phtml|inc|liquid|html?|css|svg|sh|py|rb|pl|vue|ya?ml|toml|ini|sql)$/i.test(path);
}
