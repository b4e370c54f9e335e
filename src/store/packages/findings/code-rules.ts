import type { FindingSeverity } from './finding.js';

/** A pattern to search for in text. */
export interface CodeRule {
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** The text must contain one of these (lower case): a cheap pre-check. */
  readonly hints: readonly string[];
  /** Global, with bounded repetitions only, to avoid catastrophic backtracking. */
  readonly pattern: RegExp;
  /** Whether the match must be masked in the excerpt. */
  readonly secret?: boolean;
  /** Discards a match. */
  readonly except?: (match: RegExpExecArray) => boolean;
}

const moduleUse = (names: string): RegExp =>
  new RegExp(`(?:require\\s{0,3}\\(|\\bfrom|\\bimport\\s{0,3}\\(?)\\s{0,5}['"\`](?:node:)?(?:${names})(?:/promises)?['"\`]`, 'g');

/** Code that evaluates text, starts programs, or accesses the system. */
const CODE: readonly CodeRule[] = [
  { rule: 'eval', severity: 'danger', hints: ['eval'], pattern: /\beval\s{0,5}(?:\?\.\s{0,5})?\(/g },
  {
    rule: 'new_function',
    severity: 'danger',
    hints: ['function', 'constructor'],
    pattern: /\bnew\s{1,5}Function\s{0,5}\(|\bFunction\s{0,5}\(\s{0,5}['"`]|\.constructor\s{0,5}\(\s{0,5}['"`]/g,
  },
  {
    rule: 'timer_text',
    severity: 'warning',
    hints: ['settimeout', 'setinterval'],
    pattern: /\bset(?:Timeout|Interval)\s{0,5}\(\s{0,5}['"`]/g,
  },
  { rule: 'vm', severity: 'danger', hints: ['vm'], pattern: moduleUse('vm') },
  { rule: 'child_process', severity: 'danger', hints: ['child_process'], pattern: /\bchild_process\b/g },
  {
    rule: 'native',
    severity: 'danger',
    hints: ['binding', 'dlopen'],
    pattern: /\bprocess\s{0,3}\.\s{0,3}(?:binding|_linkedBinding|dlopen)\b/g,
  },
  {
    rule: 'process_control',
    severity: 'warning',
    hints: ['process'],
    pattern: /\bprocess\s{0,3}\.\s{0,3}(?:exit|abort|kill|chdir|setuid|setgid|umask)\s{0,3}\(/g,
  },
  {
    rule: 'threads',
    severity: 'info',
    hints: ['worker_threads', 'cluster', 'inspector'],
    pattern: moduleUse('worker_threads|cluster|inspector'),
  },
  { rule: 'environment', severity: 'info', hints: ['process'], pattern: /\bprocess\s{0,3}\.\s{0,3}env\b/g },
  { rule: 'files', severity: 'info', hints: ['fs'], pattern: moduleUse('fs') },
  {
    rule: 'network',
    severity: 'info',
    hints: ['net', 'tls', 'dgram', 'http', 'dns'],
    pattern: moduleUse('net|tls|dgram|https?|http2|dns'),
  },
  {
    rule: 'system_path',
    severity: 'warning',
    hints: ['/etc/', '/proc/', '/root/', '.ssh'],
    pattern: /\/etc\/(?:passwd|shadow|sudoers|cron)|\/proc\/(?:self|1)\/|\/root\/|\.ssh\/(?:id_|authorized_keys)/g,
  },
  {
    rule: 'php_exec',
    severity: 'danger',
    hints: ['system', 'passthru', 'shell_exec', 'popen', 'proc_open'],
    pattern: /(?<![.\w$])(?:system|passthru|shell_exec|popen|proc_open|pcntl_exec)\s{0,3}\(\s{0,3}['"$@]/g,
  },
  {
    rule: 'php_assert',
    severity: 'danger',
    hints: ['assert', 'create_function'],
    pattern: /(?<![.\w$])(?:assert\s{0,3}\(\s{0,3}(?:['"]|\$_|@)|create_function\s{0,3}\()/g,
  },
  {
    rule: 'base64_code',
    severity: 'warning',
    hints: ['base64_decode', 'atob', 'gzinflate', 'str_rot13'],
    pattern: /(?<![\w$])(?:base64_decode|gzinflate|str_rot13|atob)\s{0,3}\(/g,
  },
  { rule: 'install_script', severity: 'warning', hints: ['install'], pattern: /"(?:pre|post)?install"\s{0,5}:\s{0,5}"/g },
];

const PLACEHOLDER =
  /^(?:x{3,}|\*{3,}|\.{3,}|<.*>|\$\{.*|\{\{?.*|%.*%|process\.env.*)$|your|example|sample|placeholder|change|dummy|password|passwd|secret|token|null|undefined|required|请|密码/i;

/** Detects placeholders: real passwords contain letters and digits. */
function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value);
}

/** Secrets that should not be published. Patterns follow the providers' documentation. */
const SECRETS: readonly CodeRule[] = [
  {
    rule: 'private_key',
    severity: 'danger',
    hints: ['private key'],
    pattern: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  { rule: 'aws_key', severity: 'danger', hints: ['akia', 'asia'], pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    rule: 'github_token',
    severity: 'danger',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b/g,
  },
  { rule: 'gitlab_token', severity: 'danger', hints: ['glpat-'], pattern: /\bglpat-[\w-]{20,64}/g },
  { rule: 'npm_token', severity: 'danger', hints: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    rule: 'slack_token',
    severity: 'danger',
    hints: ['xox', 'hooks.slack.com'],
    pattern: /\bxox[abeoprs]-[\w-]{10,250}|hooks\.slack\.com\/services\/T\w{5,20}\/\w{5,20}\/\w{10,40}/g,
  },
  { rule: 'stripe_key', severity: 'danger', hints: ['_live_'], pattern: /\b[rs]k_live_[A-Za-z0-9]{16,200}\b/g },
  { rule: 'google_key', severity: 'danger', hints: ['aiza'], pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { rule: 'aliyun_key', severity: 'danger', hints: ['ltai'], pattern: /\bLTAI[0-9A-Za-z]{12,24}\b/g },
  { rule: 'tencent_key', severity: 'danger', hints: ['akid'], pattern: /\bAKID[0-9A-Za-z]{28,40}\b/g },
  { rule: 'jwt', severity: 'warning', hints: ['eyj'], pattern: /\beyJ[\w-]{10,200}\.eyJ[\w-]{10,1000}\.[\w-]{20,500}/g },
  {
    rule: 'url_password',
    severity: 'warning',
    hints: ['://'],
    pattern:
      /\b(?:https?|ftp|mysql|postgres(?:ql)?|mongodb(?:\+srv)?|redis|amqp|smtps?):\/\/[^\s:@/'"`<>{}$]{1,64}:([^\s:@/'"`<>{}$]{4,64})@/g,
  },
  {
    rule: 'password',
    severity: 'warning',
    hints: ['passw', 'pwd', 'secret', 'key', 'token'],
    pattern:
      /(?:passw(?:or)?d|pwd|secret|api_?key|access_?key|auth_?token|private_?key)['"]?\s{0,5}(?:=>|[:=])\s{0,5}['"]([^'"\s]{8,100})['"]/gi,
    except: (match: RegExpExecArray) => isPlaceholder(match[1] ?? ''),
  },
].map((rule) => ({ ...rule, rule: `secret.${rule.rule}`, secret: true }) as CodeRule);

/** All patterns searched for in text. */
export const CODE_RULES: readonly CodeRule[] = [...CODE, ...SECRETS];
