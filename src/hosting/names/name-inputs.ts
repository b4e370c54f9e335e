import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { toFen } from '../../common/index.js';
import { VersionField } from '../../http/index.js';
import { ListInput, OneOf, RowId, RowIdOrZero, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import type { ZoneChannel } from '../entities/index.js';
import { MOST_PRICE } from '../most-price.js';

/** Yuan as somebody writes it, in fen. */
const Yuan = (): PropertyDecorator => (target, property) => {
  const read = Transform(({ value }: { value: unknown }) => (value === '' ? undefined : (toFen(String(value)) ?? value)));
  const wrong = { message: 'names.price_rule' };
  for (const decorate of [read, IsInt(wrong), Min(0, wrong), Max(MOST_PRICE, wrong)]) decorate(target, property);
};

/** What a zone is sold for. */
class ZoneFields {
  /** Yuan. */
  @IsOptional() @Yuan() jg?: number;
  /** Description. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) ymjs?: string;
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  @IsOptional() @OneOf(['pan', 'dnsapi']) channel?: ZoneChannel;
  /** DNS provider; 0: none. */
  @IsOptional() @RowIdOrZero() provider_id?: number;
  /** Months a name is had for at a time; 0: without a last day. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'names.months_rule' })
  @Min(0, { message: 'names.months_rule' })
  @Max(120, { message: 'names.months_rule' })
  ys?: number;
  /** Names of one customer; 0: any number. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(1_000) sl?: number;
  /** Reserved prefixes. */
  @IsOptional() @IsString() @MaxLength(2_000) blqz?: string;
  /** Days a name goes on after its last one. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(27) kxts?: number;
  /** Days nobody gets a name that was given up. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(365) xxts?: number;
}

/** Fields of `addym`. */
export class AddZoneInput extends ZoneFields {
  @Trimmed() @IsString() @MaxLength(253) url!: string;
  /** Code of the server. */
  @Trimmed() @IsString() @MaxLength(64) bt!: string;
}

/** Names one row. */
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
  /** The zone; without it, names of all. */
  @IsOptional() @RowId() id?: number;
}

/** Fields of `ymjb`, by an administrator. */
export class ReleaseInput extends NameIdInput {
  /** Whose it is, to be sure: the user name of the host. */
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
