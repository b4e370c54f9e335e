/** Patterns in `User-Agent` and display names. The first match wins, because most browsers also name others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bM?QQBrowser\//, 'QQ Browser'],
  [/\bUC?Browser\//, 'UC Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bMSIE |\bTrident\//, 'Internet Explorer'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bHarmonyOS\b/, 'HarmonyOS'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
/** A program whose header starts with its own name, such as `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.+-]{0,31})(?:\/|$)/;

/**
 * The program and system a visitor uses.
 *
 * @example
 * ```ts
 * const here: VisitorProgram = { name: 'Firefox', system: 'Windows' };
 * svc.log.debug('visited with', { ...here });
 * ```
 * @since 1.84.0
 */
export interface VisitorProgram {
  /** Name of the browser or program; empty if unknown. */
  readonly name: string;
  /** Name of its operating system; empty if unknown. */
  readonly system: string;
}

/**
 * Returns the browser and system that a `User-Agent` header names. Only for display, for example in a list of sign-ins: clients can send
 * any header they like.
 *
 * @param userAgent the raw header
 * @example
 * ```ts
 * const { name, system } = visitingProgram('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
 * svc.log.info('visited', { name, system });
 * ```
 * @since 1.84.0
 */
export function visitingProgram(userAgent: string): VisitorProgram {
  const named = (table: typeof BROWSERS): string => table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '';
  const name = named(BROWSERS) || (userAgent.startsWith('Mozilla/') ? '' : (PROGRAM.exec(userAgent)?.[1] ?? ''));
  return { name, system: named(SYSTEMS) };
}
