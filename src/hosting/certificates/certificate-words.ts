import { DAY_MS, legacyTime, type Locale, translate } from '../../common/index.js';
import type { CertificateOrder, SiteCertificate } from '../entities/index.js';

import { ORDER_STEPS, type OrderStep } from './certificate-order-repository.js';

/** Converts an order for pages and programs. */
export const orderWords = (order: CertificateOrder, zone: string, locale: Locale) => ({
  id: order.id,
  state: order.state,
  step: order.step,
  step_text: translate(locale, `certificates.step_${order.step}`),
  done: ORDER_STEPS.indexOf(order.step as OrderStep),
  total: ORDER_STEPS.length,
  names: order.names,
  problem: order.problem,
  problem_text: problemWords(order, locale),
  retry_at: order.retryAt ? legacyTime(order.retryAt, zone) : '',
  created_at: legacyTime(order.createdAt, zone),
});

/** Describes why an order failed or waits, and what to do; empty if nothing is wrong. */
export function problemWords({ problem, problemParams }: Pick<CertificateOrder, 'problem' | 'problemParams'>, locale: Locale): string {
  if (problem === '') return '';
  const { detail = '', ...params } = problemParams;
  const words = translate(locale, `certificates.problem_${problem}`, { name: '', ...params });
  return detail === '' ? words : `${words} ${translate(locale, 'certificates.authority_says', { detail })}`;
}

/** Whole days until a certificate expires; 0 if it has expired. */
export const daysLeft = ({ endsAt }: Pick<SiteCertificate, 'endsAt'>, now: Date): number =>
  Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS));
