/**
 * A currency of an installation.
 *
 * @example
 * ```ts
 * const { code, decimals, sign }: CurrencyRecord = currency(); // { code: 'EUR', decimals: 2, sign: '€' }
 * ```
 * @since 1.84.0
 */
export interface CurrencyRecord {
  /** Code according to ISO 4217. */
  readonly code: string;
  /** Digits after the decimal point: with 2, amounts count hundredths; with 0, whole units. */
  readonly decimals: 0 | 2;
  /** Symbol that precedes an amount. */
  readonly sign: string;
}

/** Currencies without a minor unit, and those with hundredths: ISO 4217, currencies in use. */
const WITHOUT = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const HUNDREDTHS = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD ' +
  'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL ' +
  'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
  'SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW'
).split(' ');

/**
 * Currency codes an installation may use, in alphabetical order.
 *
 * @example
 * ```ts
 * const currencies = CURRENCY_CODES.filter((code) => code !== 'ISK'); // of a gateway that counts that one otherwise
 * ```
 * @since 1.84.0
 */
export const CURRENCY_CODES: readonly string[] = [...WITHOUT, ...HUNDREDTHS].sort();

/**
 * Returns the currency with a code.
 *
 * @throws Error for a code that is not in {@link CURRENCY_CODES}
 * @example
 * ```ts
 * currencyOf('JPY').decimals; // 0
 * ```
 * @since 1.84.0
 */
export function currencyOf(code: string): CurrencyRecord {
  if (!CURRENCY_CODES.includes(code)) throw new Error(`"${code}" is not a supported currency code.`);
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code }).formatToParts(0);
  const sign = code === 'CNY' ? '¥' : parts.find(({ type }) => type === 'currency')!.value;
  // A sign made of letters is separated from the digits by a non-breaking space.
  return { code, decimals: WITHOUT.includes(code) ? 0 : 2, sign: /[a-z]$/i.test(sign) ? `${sign}\u00a0` : sign };
}

const YUAN = currencyOf('CNY');
/** Global key under which the panel publishes its currency; shared by all copies of this package in the process. */
const PRESENT = Symbol.for('@svc/sdk:currency');

/**
 * Returns the currency of this installation, CNY by default. The owner chooses it before the first order, so call this each time you need
 * it.
 *
 * @example
 * ```ts
 * const { code, decimals } = currency();
 * svc.log.info('amounts are in', { code, decimals });
 * ```
 * @since 1.84.0
 */
export function currency(): CurrencyRecord {
  return (globalThis as { [PRESENT]?: CurrencyRecord })[PRESENT] ?? YUAN;
}

/**
 * Formats an amount in minor units as a plain number, in the format of the panel's operations and pages.
 *
 * @param decimals of a currency other than the installation's
 * @example
 * ```ts
 * amountText(1250); // "12.50", or "1250" where the currency has no minor unit
 * ```
 * @since 1.84.0
 */
export function amountText(amount: number, decimals: CurrencyRecord['decimals'] = currency().decimals): string {
  const sign = amount < 0 ? '-' : '';
  const value = Math.abs(amount);
  return decimals === 0 ? `${sign}${value}` : `${sign}${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
}

/**
 * Formats an amount in minor units for display, with the currency's sign.
 *
 * @example
 * ```ts
 * moneyText(1250); // "¥12.50"
 * ```
 * @since 1.84.0
 */
export function moneyText(amount: number): string {
  return `${amount < 0 ? '-' : ''}${currency().sign}${amountText(Math.abs(amount))}`;
}

/**
 * Parses an amount that a person typed, without rounding, into minor units of the installation's currency, or of one with other `decimals`.
 *
 * @returns null if the text is not an amount, is negative, or has fractions of a minor unit
 * @example
 * ```ts
 * readAmount('12.5'); // 1250
 * readAmount('1.005'); // null
 * ```
 * @since 1.84.0
 */
export function readAmount(text: string | number, decimals: CurrencyRecord['decimals'] = currency().decimals): number | null {
  const match = /^(\d{1,10})(?:\.(\d{1,2})0*)?$/.exec(String(text).trim());
  if (!match) return null;
  const fraction = (match[2] ?? '').padEnd(2, '0');
  if (decimals === 0) return fraction === '00' ? Number(match[1]) : null;
  return Number(match[1]) * 100 + Number(fraction);
}
