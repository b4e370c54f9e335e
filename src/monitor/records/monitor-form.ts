import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Transform } from 'class-transformer';

import { VersionField } from '../../http/index.js';
import { OneOf, RowId, RowIdOrZero, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { CONTENT_RULES, RECORD_TYPES, STATUS_RULES, statusRuleOf } from '../checks/index.js';
import { MONITOR_KINDS, type MonitorKind } from '../entities/index.js';

const Whole =
  (min: number, max: number): PropertyDecorator =>
  (target, property) => {
    for (const decorate of [IsOptional(), WholeNumber(), IsInt(), Min(min), Max(max)]) decorate(target, property);
  };

/** Identifies a monitor. */
export class MonitorInput {
  @IsNotEmpty() @RowId() id!: number;
}

/** Fields of `monitor_toggle`. */
export class ToggleInput extends MonitorInput {
  @Switch() @IsNotEmpty() @IsBoolean() enabled!: boolean;
}

/**
 * Fields of `monitor_save`. Omitted fields get their default in a new monitor and stay unchanged in an existing one; fields of other kinds
 * are ignored.
 */
export class SaveMonitorInput {
  /** Id of the monitor to change; 0 creates one. */
  @IsOptional() @RowIdOrZero() id = 0;
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) name?: string;
  @IsOptional() @OneOf(MONITOR_KINDS) task_type?: MonitorKind;
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) url?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(30) resource_type?: string;
  @Whole(1, 100) resource_threshold?: number;
  @IsOptional() @OneOf(['GET', 'POST', 'HEAD']) method?: string;
  /** Lines `Name: value`; empty keeps the present headers. */
  @IsOptional() @IsString() @MaxLength(4_000) headers?: string;
  /** Removes the headers. */
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
  /** Consecutive successes before it counts as up again. */
  @Whole(1, 100) hf_yz?: number;
  /** Seconds until the next check while it fails; 0 for the normal interval. */
  @Whole(0, 3_600) cs_jg?: number;
  /** Repeats the notification after this many failures; 0 never. */
  @Whole(0, 10_000) cf_jg?: number;
  @IsOptional() @Switch() @IsBoolean() upside_down?: boolean;
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) tags?: string;
  /** Whether notifications are also sent by mail. */
  @IsOptional() @Switch() @IsBoolean() notify_email?: boolean;
  @IsOptional() @Switch() @IsBoolean() enabled?: boolean;
  @VersionField() row_version?: string;
}
