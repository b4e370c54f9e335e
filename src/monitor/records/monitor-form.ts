import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Transform } from 'class-transformer';

import { VersionField } from '../../http/index.js';
import { OneOf, RowId, RowIdOrZero, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { CONTENT_RULES, RECORD_TYPES, STATUS_RULES, statusRuleOf } from '../checks/index.js';
import { MONITOR_KINDS, type MonitorKind } from '../entities/index.js';

const Whole =
  (least: number, most: number): PropertyDecorator =>
  (target, property) => {
    for (const decorate of [IsOptional(), WholeNumber(), IsInt(), Min(least), Max(most)]) decorate(target, property);
  };

/** Names one monitor. */
export class MonitorInput {
  @IsNotEmpty() @RowId() id!: number;
}

/** Fields of `monitor_toggle`. */
export class ToggleInput extends MonitorInput {
  @Switch() @IsNotEmpty() @IsBoolean() enabled!: boolean;
}

/**
 * Fields of `monitor_save`. What is not sent has its default in a new monitor, and stays in one that is there; fields of other
 * kinds have no effect on this one.
 */
export class SaveMonitorInput {
  /** Above 0: which one is changed. */
  @IsOptional() @RowIdOrZero() id = 0;
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) name?: string;
  @IsOptional() @OneOf(MONITOR_KINDS) task_type?: MonitorKind;
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) url?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(30) resource_type?: string;
  @Whole(1, 100) resource_threshold?: number;
  @IsOptional() @OneOf(['GET', 'POST', 'HEAD']) method?: string;
  /** Lines `Name: value`; empty keeps those there are. */
  @IsOptional() @IsString() @MaxLength(4_000) headers?: string;
  /** Takes the headers away. */
  @IsOptional() @Switch() @IsBoolean() headers_clear?: boolean;
  @IsOptional() @OneOf(RECORD_TYPES) record_type?: string;
  @Whole(1, 365) warn_days?: number;
  @Whole(15, 86_400) interval_seconds?: number;
  @Whole(1, 30) timeout_seconds?: number;
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? statusRuleOf(value.trim().toLowerCase()) : value))
  @OneOf(STATUS_RULES)
  status_rule?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) status_value?: string;
  @IsOptional() @OneOf(CONTENT_RULES) content_rule?: string;
  @IsOptional() @IsString() @MaxLength(2_000) content_value?: string;
  @Whole(1, 100) fail_threshold?: number;
  /** Successes before it is up again. */
  @Whole(1, 100) hf_yz?: number;
  /** Seconds to the next check while it fails; 0: the usual ones. */
  @Whole(0, 3_600) cs_jg?: number;
  /** Told again after so many failures; 0: never. */
  @Whole(0, 10_000) cf_jg?: number;
  @IsOptional() @Switch() @IsBoolean() upside_down?: boolean;
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) tags?: string;
  /** Whether what is told goes out by mail too. */
  @IsOptional() @Switch() @IsBoolean() notify_email?: boolean;
  @IsOptional() @Switch() @IsBoolean() enabled?: boolean;
  @VersionField() row_version?: string;
}
