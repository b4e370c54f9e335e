/**
 * The currency an installation has.
 *
 * @example
 * ```ts
 * const { code, decimals, sign }: CurrencyRecord = currency(); // { code: 'EUR', decimals: 2, sign: '€' }
 * ```
 * @since 1.84.0
 */
export interface CurrencyRecord {
  /** By ISO 4217. */
  readonly code: string;
  /** Digits behind the point: an amount is counted in hundredths, or in the unit itself. */
  readonly decimals: 0 | 2;
  /** What stands before an amount. */
  readonly sign: string;
}

/** Currencies without a minor unit, and those with one of hundredths: ISO 4217, those in use. */
const WITHOUT = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const HUNDREDTHS = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD ' +
  'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL ' +
  'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
  'SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW'
).split(' ');

/**
 * Codes of the currencies an installation may have, in the order of the alphabet.
 *
 * @example
 * ```ts
 * const currencies = CURRENCY_CODES.filter((code) => code !== 'ISK'); // of a gateway that counts that one otherwise
 * ```
 * @since 1.84.0
 */
export const CURRENCY_CODES: readonly string[] = [...WITHOUT, ...HUNDREDTHS].sort();

/**
 * The currency of a code.
 *
 * @throws Error for one that is not among {@link CURRENCY_CODES}
 * @example
 * ```ts
 * currencyOf('JPY').decimals; // 0
 * ```
 * @since 1.84.0
 */
export function currencyOf(code: string): CurrencyRecord {
  if (!CURRENCY_CODES.includes(code)) throw new Error(`"${code}" is not a currency an installation may have.`);
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code }).formatToParts(0);
  const sign = code === 'CNY' ? '¥' : parts.find(({ type }) => type === 'currency')!.value;
  // Letters stand apart from figures, and never on another line.
  return { code, decimals: WITHOUT.includes(code) ? 0 : 2, sign: /[a-z]$/i.test(sign) ? `${sign}\u00a0` : sign };
}

const YUAN = currencyOf('CNY');
/** Where the panel says it, for every copy of this package there may be in the process. */
const PRESENT = Symbol.for('@svc/sdk:currency');

/**
 * The currency of this installation, CNY at first. Its owner chooses it before the first order, so ask whenever you need it.
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
 * An amount in minor units as figures, as the panel's operations and pages have it.
 *
 * @param decimals of another currency than the installation's
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
 * An amount in minor units for people: with the currency's sign.
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
 * Reads an amount somebody wrote, exactly: minor units of the installation's currency, or of another with so many decimals.
 *
 * @returns null for what is no amount, is negative, or has parts of a minor unit
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
