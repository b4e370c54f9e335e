/** Names in `User-Agent` and what people know them as; the first that fits is the one, as most browsers name others besides themselves. */
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
/** A program that says its name first, such as `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.+-]{0,31})(?:\/|$)/;

/**
 * What somebody visits with.
 *
 * @example
 * ```ts
 * const here: VisitorProgram = { name: 'Firefox', system: 'Windows' };
 * svc.log.debug('visited with', { ...here });
 * ```
 * @since 1.84.0
 */
export interface VisitorProgram {
  /** Name of the browser or program; empty where it does not say. */
  readonly name: string;
  /** Its system; empty where it does not say. */
  readonly system: string;
}

/**
 * The browser and system that a `User-Agent` header names. For people who look through their sign-ins, and for nothing that has to be
 * certain: anybody may write anything there.
 *
 * @param userAgent the header as it came
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
