import type { GatewayField, Settings, Word } from '@svc/gateway-kit';

const isOn = ({ enabled }: Settings): boolean => enabled !== 'off';

/** Validates a whole number in a range, as a field's `problem`. */
const within =
  (min: number, max: number, word: Word) =>
  (value: string): Word | null =>
    /^\d{1,3}$/.test(value) && Number(value) >= min && Number(value) <= max ? null : word;

/** Settings of the reseller. */
export const TRANSFER_FIELDS: readonly GatewayField[] = [
  { key: 'enabled', kind: 'choice', most: 3, choices: ['on', 'off'] },
  { key: 'holder', kind: 'text', most: 100, needed: isOn },
  { key: 'bank', kind: 'text', most: 200, needed: isOn },
  { key: 'account', kind: 'text', most: 100, needed: isOn },
  { key: 'text', kind: 'lines', most: 1_000 },
  { key: 'hold_days', kind: 'text', most: 3, placeholder: '7', problem: within(1, 30, 'days_30') },
  { key: 'keep_days', kind: 'text', most: 3, placeholder: '30', problem: within(1, 365, 'days_365') },
];

/** Bank details shown to buyers, and retention times. */
export class TransferConfig {
  constructor(private readonly values: Settings) {}

  /** Whether the bank details are complete. */
  get isReady(): boolean {
    return isOn(this.values) && [this.holder, this.bank, this.account].every((value) => value !== '');
  }

  get holder(): string {
    return this.values.holder ?? '';
  }

  get bank(): string {
    return this.values.bank ?? '';
  }

  get account(): string {
    return this.values.account ?? '';
  }

  /** Additional instructions for buyers, in lines. */
  get text(): string {
    return this.values.text ?? '';
  }

  /** Days an order with a proof is held open. */
  get holdDays(): number {
    return Number(this.values.hold_days) || 7;
  }

  /** Days a proof's file is kept after its order has ended. */
  get keepDays(): number {
    return Number(this.values.keep_days) || 30;
  }
}
