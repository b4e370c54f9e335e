import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { toFen } from '../../common/index.js';
import { VersionField } from '../../http/index.js';
import { ListInput, OneOf, RowId, RowIdOrZero, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import type { ZoneChannel } from '../entities/index.js';
import { MAX_PRICE } from '../max-price.js';

/** A price in yuan, converted to fen. */
const Yuan = (): PropertyDecorator => (target, property) => {
  const read = Transform(({ value }: { value: unknown }) => (value === '' ? undefined : (toFen(String(value)) ?? value)));
  const wrong = { message: 'names.price_rule' };
  for (const decorate of [read, IsInt(wrong), Min(0, wrong), Max(MAX_PRICE, wrong)]) decorate(target, property);
};

/** The terms of a zone. */
class ZoneFields {
  /** Yuan. */
  @IsOptional() @Yuan() jg?: number;
  /** Description. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) ymjs?: string;
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  @IsOptional() @OneOf(['pan', 'dnsapi']) channel?: ZoneChannel;
  /** DNS provider; 0: none. */
  @IsOptional() @RowIdOrZero() provider_id?: number;
  /** Months of one purchase period; 0: no expiry. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'names.months_rule' })
  @Min(0, { message: 'names.months_rule' })
  @Max(120, { message: 'names.months_rule' })
  ys?: number;
  /** Maximum names per customer; 0: unlimited. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(1_000) sl?: number;
  /** Reserved prefixes. */
  @IsOptional() @IsString() @MaxLength(2_000) blqz?: string;
  /** Days of grace after the last day of a name. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(27) kxts?: number;
  /** Days before a released name can be bought again. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(365) xxts?: number;
}

/** Fields of `addym`. */
export class AddZoneInput extends ZoneFields {
  @Trimmed() @IsString() @MaxLength(253) url!: string;
  /** Code of the server. */
  @Trimmed() @IsString() @MaxLength(64) bt!: string;
}

/** Identifies a row. */
export class NameIdInput {
  @RowId() id!: number;
}

/** Fields of `xgym`. */
export class ChangeZoneInput extends ZoneFields {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

/** Fields of `ymkg`. */
export class SwitchZoneInput extends NameIdInput {
  @Switch() @IsBoolean() kg!: boolean;
}

/** Fields of `ymscxz`. */
export class ZoneIdsInput {
  @IsString() @MaxLength(20_000) idsz!: string;
}

/** Fields of `ymbdlist`. */
export class NameListInput extends ListInput {
  /** Id of the zone; names of all zones if omitted. */
  @IsOptional() @RowId() id?: number;
}

/** Fields of `ymjb`, by an administrator. */
export class ReleaseInput extends NameIdInput {
  /** User name of the name's host, as a confirmation. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user = '';
}

/** Fields of `ymcx`. */
export class LookInput extends NameIdInput {
  @IsString() @MaxLength(100) qz!: string;
}

/** Fields of `ymbd`. */
export class BindNameInput extends LookInput {
  /** Folder below the web root. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) ml = '';
}
