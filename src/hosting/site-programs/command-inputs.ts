import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { MAX_COMMAND_SECONDS } from '../driver/index.js';

const ID = /^[a-z0-9]{1,32}$/;

/** Fields of `crontab_save`. */
export class CommandInput {
  /** Id of the command; empty: a new one. */
  @IsOptional() @Trimmed() @Matches(/^(?:[a-z0-9]{1,32})?$/) jh = '';
  /** Program and arguments. */
  @Trimmed() @IsString() @MaxLength(8_000) ml!: string;
  /** Cron expression with five fields. */
  @Trimmed() @IsString() @MaxLength(100) sj!: string;
  /** Folder below the web root; empty or `/`: the web root. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) wjj = '';
  /** Timeout in seconds. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'siteprograms.seconds' })
  @Min(1, { message: 'siteprograms.seconds' })
  @Max(MAX_COMMAND_SECONDS, { message: 'siteprograms.seconds' })
  cs = 300;
  /** Whether it runs on schedule. */
  @IsOptional() @Switch() @IsIn([true, false]) kg = true;
  @VersionField() row_version?: string;
}

/** Identifies a command. */
export class CommandIdInput {
  @Trimmed() @Matches(ID) jh!: string;
}

/** Fields of `crontab_kg`. */
export class CommandSwitchInput extends CommandIdInput {
  @Switch() @IsIn([true, false]) kg!: boolean;
}

/** Identifies a requested run. */
export class CommandTaskInput {
  @IsString() @IsNotEmpty() @MaxLength(60) task_id!: string;
}
