import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateBy } from 'class-validator';

import { MAX_AMOUNT, toFen } from '../common/index.js';
import { VersionField } from '../http/index.js';
import { ListInput, RowId, Trimmed, WholeNumber } from '../operations/index.js';
import { type OrderStatus, CURRENCY_CODES } from '../sdk/index.js';

import { MAX_ORDER_TTL_HOURS, isPayType, SCENE } from './orders/index.js';

const ORDER_STATES: readonly OrderStatus[] = ['unpaid', 'paid', 'closed', 'refunded', 'partly_refunded'];

/** Yuan with at most two decimals, within the range of order amounts. */
export const IsOrderAmount = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isOrderAmount',
      validator: {
        validate: (value: unknown) => {
          const fen = typeof value === 'string' ? toFen(value) : null;
          return fen !== null && fen >= 1 && fen <= MAX_AMOUNT;
        },
      },
    },
    { message: 'payment.field.amount' },
  );

/** `{slug}__{method}`, or empty. */
const IsPayTypeOrEmpty = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isPayTypeOrEmpty',
      validator: { validate: (value: unknown) => value === '' || (typeof value === 'string' && isPayType(value)) },
    },
    { message: 'payment.field.type' },
  );

/** Fields of `adddd`. */
export class AddOrderInput {
  @IsString() @Trimmed() @IsNotEmpty({ message: 'payment.field.user' }) @MaxLength(64, { message: 'payment.field.user' }) user!: string;
  @Matches(SCENE, { message: 'payment.field.scene' }) scene!: string;
  @IsString() @Trimmed() @IsNotEmpty({ message: 'payment.field.name' }) @MaxLength(127, { message: 'payment.field.name' }) name!: string;
  /** Yuan. */
  @IsOrderAmount() @Trimmed() rmb!: string;
  /** Payment type string; if empty, the buyer chooses. */
  @IsOptional() @IsPayTypeOrEmpty() @Trimmed() ff = '';
}

/** Fields of `listdd`. */
export class OrderListInput extends ListInput {
  /** `pending`: only orders with a pending refund. */
  @IsOptional() @IsIn(['', 'pending']) tk?: 'pending' | '';
  @IsOptional() @IsIn(['', ...ORDER_STATES]) qk?: OrderStatus | '';
  @IsOptional() @IsString() @MaxLength(32) scene?: string;
  /** Created on this day or later, `YYYY-MM-DD`. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Created on this day or earlier. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
}

/** Fields of `ddsj`: one of the two. */
export class OrderKeyInput {
  @IsOptional() @WholeNumber() @IsInt() @Min(1) id?: number;
  @IsOptional() @IsString() @Trimmed() @MaxLength(40) ddh?: string;
}

/** Fields of `zffs`. */
export class OfferedMethodsInput {
  /** Number of the caller's own unpaid order. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) ddh?: string;
}

/** Fields of `ddcx`. */
export class OrderNumberInput {
  @IsString() @Trimmed() @IsNotEmpty() @MaxLength(40) ddh!: string;
}

/** Fields of `ddzf`. */
export class PayOrderInput extends OrderNumberInput {
  /** Payment type string of an available method. */
  @IsString({ message: 'payment.method_not_offered' })
  @Trimmed()
  @IsNotEmpty({ message: 'payment.method_not_offered' })
  @MaxLength(128)
  ff!: string;
}

/** Identifies an order. */
export class OrderIdInput {
  @RowId() id!: number;
}

/** Fields of `ddcf`. */
export class DeliverAgainInput extends OrderIdInput {
  /** Reason; optional for API clients. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(200, { message: 'payment.field.reason' }) yy?: string;
}

/** Fields of `ddbz` and `ddgb`. */
export class OrderReasonInput extends OrderIdInput {
  @IsString({ message: 'payment.field.reason' })
  @Trimmed()
  @IsNotEmpty({ message: 'payment.field.reason' })
  @MaxLength(200, { message: 'payment.field.reason' })
  yy!: string;
}

/** Fields of `ddbzx`. */
export class OrderNoteInput extends OrderIdInput {
  @IsString({ message: 'payment.field.note' })
  @Trimmed()
  @IsNotEmpty({ message: 'payment.field.note' })
  @MaxLength(500, { message: 'payment.field.note' })
  bz!: string;
}

/** Fields of `ddtk`. */
export class RefundInput extends OrderReasonInput {
  /** Yuan. */
  @IsOrderAmount() @Trimmed() rmb!: string;
  /** How it is refunded: by the gateway it came through, manually by the reseller, or as credit. */
  @IsIn(['gateway', 'hand', 'ye'], { message: 'payment.field.refund_way' }) qd: 'gateway' | 'hand' | 'ye' = 'gateway';
}

/** Fields of `ddtkcx`. */
export class RefundIdInput {
  /** Id of the refund. */
  @RowId() id!: number;
}

/** Fields of `ddtkjg`. */
export class RefundOutcomeInput extends RefundIdInput {
  /** Whether the money was given back. */
  @IsIn(['done', 'refused'], { message: 'payment.field.refund_outcome' }) jg!: 'done' | 'refused';
}

/** Fields of `zftkwg`, `zftkye` and `zftk`. */
export class SecondPaymentInput {
  @RowId() id!: number;
}

/** Fields of `setdd`. */
export class OrderSettingsInput {
  /** Hours an order may stay unpaid; 0: forever. */
  @WholeNumber()
  @IsInt({ message: 'payment.field.order_ttl' })
  @Min(0, { message: 'payment.field.order_ttl' })
  @Max(MAX_ORDER_TTL_HOURS, { message: 'payment.field.order_ttl' })
  order_ttl!: number;
  @VersionField() row_version?: string;
}

/** Fields of `sethb`. */
export class CurrencyInput {
  /** ISO 4217 code. */
  @Trimmed() @IsIn(CURRENCY_CODES, { message: 'payment.field.currency' }) hb!: string;
}

/** Fields of `setpaymethods`. */
export class SavePaymentMethodsInput {
  /** JSON array of `{plugin, method, display_name, icon, sort, min, max}`, the last two in yuan. */
  @IsString({ message: 'payment.methods_malformed' }) @MaxLength(200_000, { message: 'payment.methods_too_many' }) methods!: string;
  @VersionField() row_version?: string;
}
