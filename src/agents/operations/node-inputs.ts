import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, IsUrl, Matches, Max, MaxLength, Min, ValidateBy } from 'class-validator';

import { isCron } from '../../common/index.js';
import { MAX_ID } from '../../database/index.js';
import { EmptyIsUnset, VersionField } from '../../http/index.js';
import { ListInput, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { DEFAULT_INTERVAL_SECONDS, MIN_INTERVAL_SECONDS } from '../registry/index.js';
import type { NodeTaskStatus } from '../entities/index.js';
import { ACTIONS, LOG_KEYWORD, LOG_LEVELS, LOG_PART, type LogLevel, TASK_ID, type TaskAction } from '../wire/index.js';
import type { StatusFilter, TimeFilter } from '../scans/index.js';

const STATUSES: NodeTaskStatus[] = ['pending', 'running', 'success', 'failed', 'expired', 'late'];
const TASKS: TaskAction[] = ['ping', 'forbidden_scan', 'quarantine_file', 'restore_file', 'delete_quarantined'];
/** Groups of server actions. */
const ACTION_GROUPS = [...new Set(Object.keys(ACTIONS).map((name) => name.slice(0, name.indexOf('.'))))];
const MAX_LIMIT = 100;
/** Host name with at least two labels, as agents accept it. */
const ADMINER_NAME = /^(?=.{4,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const clamped = ({ value }: { value: unknown }): unknown => (typeof value === 'number' ? Math.min(Math.max(value, 1), MAX_LIMIT) : value);
const Id = (): PropertyDecorator => (target, property) => {
  for (const decorate of [WholeNumber(), IsNotEmpty(), IsInt(), Min(1), Max(MAX_ID)]) decorate(target, property);
};
const OptionalId = (): PropertyDecorator => (target, property) => {
  for (const decorate of [IsOptional(), WholeNumber(), IsInt(), Min(1), Max(MAX_ID)]) decorate(target, property);
};

/** Fields of every list of this feature: 10 rows by default, at most 100. */
export class ShortListInput extends ListInput {
  @Transform(clamped) override limit = 10;
}

/** Fields of `listnode`. */
export class AgentListInput extends ShortListInput {
  /** Part of the node's id, name or address, or of the hosting server's code or address. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) keyword?: string;
  @IsOptional() @EmptyIsUnset() @IsIn(['enabled', 'disabled']) status?: 'enabled' | 'disabled';
}

/** Fields of `listnodetask`. */
export class AgentTaskListInput extends ShortListInput {
  /** `id` of a node in `listnode`. */
  @OptionalId() node_pk?: number;
  @IsOptional() @EmptyIsUnset() @IsIn(STATUSES) status?: string;
  /** A kind of task, a server action, or an action group (the part before the dot). */
  @IsOptional() @EmptyIsUnset() @IsIn([...TASKS, ...ACTION_GROUPS, ...Object.keys(ACTIONS)]) action?: string;
}

/** Identifies a task. */
export class AgentTaskInput {
  @Trimmed() @IsString() @IsNotEmpty() @Matches(TASK_ID) task_id!: string;
}

/** Identifies an agent for its log. */
export class AgentLogInput {
  /** `id` of a node in `listnode`. */
  @Id() node_id!: number;
}

/** Identifies a log file. */
export class LogFileInput extends AgentLogInput {
  /** Name from `nodeloglist`. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(40) @Matches(/^[\w.-]+$/) log_file!: string;
}

const Level = (): PropertyDecorator => IsIn(LOG_LEVELS, { message: 'node.log_level_form' });

/** Fields of `nodelogcontent`. */
export class LogContentInput extends LogFileInput {
  /** Byte offset within the matching lines; default is the last lines. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_ID) offset?: number;
  /** Maximum bytes. */
  @IsOptional() @WholeNumber() @IsInt() @Min(LOG_PART.least) @Max(LOG_PART.most) limit: number = LOG_PART.default;
  /** Only lines containing this text, case-insensitive. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(LOG_KEYWORD) keyword = '';
  /** Only lines of at least this level. */
  @IsOptional() @EmptyIsUnset() @Level() level?: LogLevel;
}

/** Fields of `nodeloglevel`. */
export class LogLevelInput extends AgentLogInput {
  @Level() level!: LogLevel;
}

/** Fields of `listforbiddenscan`. */
export class ScanListInput extends ShortListInput {
  @OptionalId() node_pk?: number;
  @IsOptional() @EmptyIsUnset() @IsIn(['today', 'yesterday', 'week', 'month']) time_filter?: TimeFilter;
  @IsOptional() @EmptyIsUnset() @IsIn(['success', 'failed', 'has_matches']) status_filter?: StatusFilter;
}

/** Fields of `listforbiddenmatch`. */
export class MatchListInput extends ShortListInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) task_id?: string;
  /** `id` of a scan in `listforbiddenscan`, to select one of several nodes that reported under the same task id. */
  @OptionalId() scan_id?: number;
  /** `id` of a match: selects matches in the same file, from any scan. */
  @OptionalId() file_of?: number;
  /** `id` of a host. */
  @OptionalId() host_id?: number;
}

/** Identifies a node. */
export class AgentInput {
  @Id() id!: number;
}

/** Fields of `nodeaz`. */
export class InstallAgentInput extends AgentInput {
  /** Host name of Adminer; without one, Adminer is not offered there. */
  @IsOptional()
  @Trimmed()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @EmptyIsUnset()
  @Matches(ADMINER_NAME, { message: 'node.adminer_form' })
  adminer?: string;
}

/** Optional address of a panel. */
const PanelAddress = (): PropertyDecorator => (target, property) => {
  const form = IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true },
    { message: 'node.url_form' },
  );
  for (const decorate of [IsOptional(), Trimmed(), EmptyIsUnset(), form, MaxLength(255)]) decorate(target, property);
};

/** Address fields of an agent's configuration. */
class AddressFields {
  /** Address of the panel; default is this panel's. */
  @PanelAddress() svc_url?: string;
  /** Older name; used if {@link svc_url} is not given. */
  @PanelAddress() mnbt_url?: string;
  @IsOptional() @WholeNumber() @IsInt() @Min(MIN_INTERVAL_SECONDS) @Max(3_600) interval_seconds = DEFAULT_INTERVAL_SECONDS;
}

/** Fields of `addnode`. */
export class AddAgentInput extends AddressFields {
  /** Id of the hosting node (`listbt`). */
  @OptionalId() bt_id?: number;
  /** Default is the hosting server's code. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) node_name = '';
  /** Default is a random id. */
  @IsOptional() @Trimmed() @IsString() node_id = '';
}

/** Fields of `nodeconfig`. */
export class AgentConfigInput extends AddressFields {
  @Id() id!: number;
}

/** Fields of `nodemycz`. */
export class RotateInput extends AgentConfigInput {
  /** How long the old secrets stay valid in minutes, up to a week; 0 revokes them immediately. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(10_080) minutes = 60;
}

/** Fields of `setnodestatus`. */
export class AgentStatusInput {
  @Id() id!: number;
  @Switch() @IsBoolean() enabled!: boolean;
}

/** Fields of `nodeforbiddenscan`. */
export class StartScanInput {
  @Id() id!: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(500) root = '';
  @IsOptional() @IsString() @MaxLength(16_000) keywords = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) site = '';
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(50) max_file_size_mb = 5;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(5_000) max_matches = 1_000;
}

/** Fields of `clearoldscans`. */
export class ClearScansInput {
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(365) days = 7;
}

const Cron = (): PropertyDecorator =>
  ValidateBy({ name: 'isCron', validator: { validate: isCron, defaultMessage: () => 'node.cron_form' } });

/** Fields of `savescancfg`; omitted fields keep their setting. */
export class ScanSettingsInput {
  /** Whether agents scan. */
  @IsOptional() @Switch() @IsBoolean() skg?: boolean;
  /** Forbidden keywords, one per line; `#` starts a comment. */
  @IsOptional() @IsString() @MaxLength(16_000) snr?: string;
  /** Changed files only. */
  @IsOptional() @Switch() @IsBoolean() sgbfx?: boolean;
  /** Folder to scan. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(500) sml?: string;
  /** Skipped folders, comma-separated. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) stqml?: string;
  /** Skipped suffixes, comma-separated. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) stqhz?: string;
  /** Largest file, MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(50) sdzmax?: number;
  /** Maximum number of matches. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(5_000) sdhmax?: number;
  /** Whether full scans run at the times of `sqzcs`. */
  @IsOptional() @Switch() @IsBoolean() sqzcskg?: boolean;
  @IsOptional() @EmptyIsUnset() @MaxLength(50) @Cron() sqzcs?: string;
  /** Minimum number of matches for a notification; 0 disables notifications. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(5_000) stz?: number;
  /** Minimum number of matches on a host in one scan to suspend it; 0 disables suspension. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(5_000) szt?: number;
  /** Whether files with new matches are quarantined. */
  @IsOptional() @Switch() @IsBoolean() sgl?: boolean;
  /** Days quarantined files are kept. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(365) sglts?: number;
  @VersionField() row_version?: string;
}

/** Fields of `wjctj`. */
export class ScanTrendInput {
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(90) days = 30;
}

/** Fields of `wjbmdtj`; at least one of the first three is required. */
export class AllowInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) word = '';
  /** Login name of a host. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user = '';
  /** Path of a file, with `*` as wildcard. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) path = '';
  /** Reason. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) note = '';
}

/** Fields of the combined allow-list operation: list, add or delete. */
export class AllowAnyInput extends ShortListInput {
  @IsIn(['list', 'add', 'del'], { message: 'node.allow_deed' }) cz!: 'list' | 'add' | 'del';
  /** For `del`. */
  @IsOptional() @Id() id?: number;
  /** As in {@link AllowInput}. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) word = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) path = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) note = '';
}

/** Identifies a match or a quarantined file. */
export class QuarantineInput {
  @Id() id!: number;
}

/** Identifies a rule of the allow list. */
export class AllowRuleInput {
  @Id() id!: number;
}
