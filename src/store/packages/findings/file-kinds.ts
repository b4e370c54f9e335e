import type { FindingSeverity } from './finding.js';

/** File type by its first bytes. */
export interface FileKind {
  readonly rule: 'binary' | 'wasm' | 'archive';
  readonly severity: FindingSeverity;
  /** For example `ELF`. */
  readonly kind: string;
}

/** Bytes of a file's start needed by {@link kindOfContent}. */
export const KIND_BYTES = 512;

const magic = (
  hex: string,
  rule: FileKind['rule'],
  severity: FindingSeverity,
  kind: string,
  at = 0,
): { bytes: Buffer; at: number; result: FileKind } => ({
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

/** Detects programs, WebAssembly and archives by their first bytes; null for anything else. */
export function kindOfContent(start: Buffer): FileKind | null {
  const found = MAGIC.find(({ bytes, at }) => start.subarray(at, at + bytes.length).equals(bytes))?.result ?? null;
  // These two signatures are too short: a text may begin with "MZ" or "BZh".
  return found && (found.kind === 'PE' || found.kind === 'bzip2') && !start.includes(0) ? null : found;
}

const MEDIA_NAME =
  /\.(?:a?png|jpe?g|gif|webp|bmp|ico|cur|avif|hei[cf]|tiff?|psd|woff2?|ttf|otf|ttc|eot|mp3|og[agv]|opus|wav|flac|mp4|m4[av]|webm|pdf)$/i;
/** Signatures of images, fonts, audio, video and documents, with their offsets. */
const MEDIA: readonly { readonly bytes: Buffer; readonly at: number }[] = [
  ...['89504e470d0a1a0a', 'ffd8ff', '47494638', '424d', '00000100', '00000200', '49492a00', '4d4d002a', '38425053'].map(
    (hex) => [hex, 0] as const,
  ),
  ...['774f4646', '774f4632', '00010000', '74727565', '4f54544f', '74746366'].map((hex) => [hex, 0] as const),
  ...['494433', '4f676753', '52494646', '664c6143', '1a45dfa3', '25504446'].map((hex) => [hex, 0] as const),
  ['66747970', 4] as const,
  ['4c50', 34] as const,
].map(([hex, at]) => ({ bytes: Buffer.from(hex, 'hex'), at }));

/** Whether a file is media by both its name and its first bytes. One alone proves little: anything may start like an image. */
export function isMedia(path: string, start: Buffer): boolean {
  return MEDIA_NAME.test(path) && MEDIA.some(({ bytes, at }) => start.subarray(at, at + bytes.length).equals(bytes));
}

/** File names that suggest programs, secrets, or files packed by mistake. */
export const NAME_RULES: readonly { rule: string; severity: FindingSeverity; pattern: RegExp }[] = [
  { rule: 'vcs', severity: 'warning', pattern: /(?:^|\/)(?:\.git|\.svn|\.hg|\.bzr|CVS|_darcs)\//i },
  {
    rule: 'secret_file',
    severity: 'danger',
    pattern:
      /(?:^|\/)(?:\.env(?:\.(?!example|sample|dist)[^/]*)?|\.npmrc|\.pypirc|\.netrc|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$/i,
  },
  {
    rule: 'program_file',
    severity: 'warning',
    pattern: /\.(?:exe|dll|so|dylib|node|bat|cmd|ps1|sh|vbs|scr|msi|com|jar|phar|apk|deb|rpm)$/i,
  },
  { rule: 'data_file', severity: 'info', pattern: /\.(?:sqlite3?|db|sql|bak|log|dump)$/i },
];

/** Whether hidden characters and long lines matter: files that machines run or read as settings. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|json|php\d?|phtml|inc|liquid|html?|css|svg|sh|py|rb|pl|vue|ya?ml|toml|ini|sql)$/i.test(path);
}
