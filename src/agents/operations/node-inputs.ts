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
/** Of actions of servers. */
const ACTION_GROUPS = [...new Set(Object.keys(ACTIONS).map((name) => name.slice(0, name.indexOf('.'))))];
const MAX_LIMIT = 100;
/** A name below another one, as agents take it. */
const ADMINER_NAME = /^(?=.{4,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const clamped = ({ value }: { value: unknown }): unknown => (typeof value === 'number' ? Math.min(Math.max(value, 1), MAX_LIMIT) : value);
const Id = (): PropertyDecorator => (target, property) => {
  for (const decorate of [WholeNumber(), IsNotEmpty(), IsInt(), Min(1), Max(MAX_ID)]) decorate(target, property);
};
const OptionalId = (): PropertyDecorator => (target, property) => {
  for (const decorate of [IsOptional(), WholeNumber(), IsInt(), Min(1), Max(MAX_ID)]) decorate(target, property);
};

/** Fields of every list of this feature: 10 rows where nothing is said, 100 at most. */
export class ShortListInput extends ListInput {
  @Transform(clamped) override limit = 10;
}

/** Fields of `listnode`. */
export class AgentListInput extends ShortListInput {
  /** Part of node id, name, address, or of the hosting node's code or address. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) keyword?: string;
  @IsOptional() @EmptyIsUnset() @IsIn(['enabled', 'disabled']) status?: 'enabled' | 'disabled';
}

/** Fields of `listnodetask`. */
export class AgentTaskListInput extends ShortListInput {
  /** `id` of a node in `listnode`. */
  @OptionalId() node_pk?: number;
  @IsOptional() @EmptyIsUnset() @IsIn(STATUSES) status?: string;
  /** A kind of task, an action of servers, or a group of these: what stands before the dot. */
  @IsOptional() @EmptyIsUnset() @IsIn([...TASKS, ...ACTION_GROUPS, ...Object.keys(ACTIONS)]) action?: string;
}

/** Names one task. */
export class AgentTaskInput {
  @Trimmed() @IsString() @IsNotEmpty() @Matches(TASK_ID) task_id!: string;
}

/** Names an agent whose log is meant. */
export class AgentLogInput {
  /** `id` of a node in `listnode`. */
  @Id() node_id!: number;
}

/** Names a file of a log. */
export class LogFileInput extends AgentLogInput {
  /** As `nodeloglist` names it. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(40) @Matches(/^[\w.-]+$/) log_file!: string;
}

const Level = (): PropertyDecorator => IsIn(LOG_LEVELS, { message: 'node.log_level_form' });

/** Fields of `nodelogcontent`. */
export class LogContentInput extends LogFileInput {
  /** Byte of the lines that were looked for; the last lines where nothing is given. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_ID) offset?: number;
  /** Bytes. */
  @IsOptional() @WholeNumber() @IsInt() @Min(LOG_PART.least) @Max(LOG_PART.most) limit: number = LOG_PART.usual;
  /** Only lines with this text, in any case. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(LOG_KEYWORD) keyword = '';
  /** Only lines of this level or more. */
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
  /** `id` of a scan in `listforbiddenscan`: of several nodes that reported under one task id, this one's. */
  @OptionalId() scan_id?: number;
  /** `id` of a match: those in the same file, whatever scan found them. */
  @OptionalId() file_of?: number;
  /** `id` of a host. */
  @OptionalId() host_id?: number;
}

/** Names one node. */
export class AgentInput {
  @Id() id!: number;
}

/** Fields of `nodeaz`. */
export class InstallAgentInput extends AgentInput {
  /** Host name Adminer answers at; none: databases are not opened in the browser there. */
  @IsOptional()
  @Trimmed()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @EmptyIsUnset()
  @Matches(ADMINER_NAME, { message: 'node.adminer_form' })
  adminer?: string;
}

/** Address of a panel, or none. */
const PanelAddress = (): PropertyDecorator => (target, property) => {
  const form = IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true },
    { message: 'node.url_form' },
  );
  for (const decorate of [IsOptional(), Trimmed(), EmptyIsUnset(), form, MaxLength(255)]) decorate(target, property);
};

/** Where the agent's configuration sends it. */
class AddressFields {
  /** Address of the panel; this one's where nothing is given. */
  @PanelAddress() svc_url?: string;
  /** Its older name; counts where {@link svc_url} is not given. */
  @PanelAddress() mnbt_url?: string;
  @IsOptional() @WholeNumber() @IsInt() @Min(MIN_INTERVAL_SECONDS) @Max(3_600) interval_seconds = DEFAULT_INTERVAL_SECONDS;
}

/** Fields of `addnode`. */
export class AddAgentInput extends AddressFields {
  /** Id of the hosting node (`listbt`). */
  @OptionalId() bt_id?: number;
  /** The hosting node's code where nothing is given. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) node_name = '';
  /** A random one where nothing is given. */
  @IsOptional() @Trimmed() @IsString() node_id = '';
}

/** Fields of `nodeconfig`. */
export class AgentConfigInput extends AddressFields {
  @Id() id!: number;
}

/** Fields of `nodemycz`. */
export class RotateInput extends AgentConfigInput {
  /** How long the old secrets go on working, up to a week; 0 ends them at once. */
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

/** Fields of `savescancfg`; one that is not sent leaves its setting as it is. */
export class ScanSettingsInput {
  /** Whether agents scan. */
  @IsOptional() @Switch() @IsBoolean() skg?: boolean;
  /** Forbidden words, one a line; `#` begins a comment. */
  @IsOptional() @IsString() @MaxLength(16_000) snr?: string;
  /** Changed files only. */
  @IsOptional() @Switch() @IsBoolean() sgbfx?: boolean;
  /** Folder that is scanned. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(500) sml?: string;
  /** Folders passed over, separated by commas. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) stqml?: string;
  /** Suffixes passed over, separated by commas. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) stqhz?: string;
  /** Largest file, MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(50) sdzmax?: number;
  /** Most matches. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(5_000) sdhmax?: number;
  /** Whether everything is scanned at the times of `sqzcs`. */
  @IsOptional() @Switch() @IsBoolean() sqzcskg?: boolean;
  @IsOptional() @EmptyIsUnset() @MaxLength(50) @Cron() sqzcs?: string;
  /** Matches of a scan from which people are told; 0: nobody is. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(5_000) stz?: number;
  /** Matches on a host in one scan from which it is paused; 0: none is. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(5_000) szt?: number;
  /** Whether files with new matches are taken out of their sites. */
  @IsOptional() @Switch() @IsBoolean() sgl?: boolean;
  /** Days such files are kept. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(365) sglts?: number;
  @VersionField() row_version?: string;
}

/** Fields of `wjctj`. */
export class ScanTrendInput {
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(90) days = 30;
}

/** Fields of `wjbmdtj`; one of the first three has to be given. */
export class AllowInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) word = '';
  /** Login name of a host. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user = '';
  /** Path of a file; `*` stands for any text. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) path = '';
  /** Why. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) note = '';
}

/** What the allow list is asked by one name: its rows, a new rule, or the end of one. */
export class AllowAnyInput extends ShortListInput {
  @IsIn(['list', 'add', 'del'], { message: 'node.allow_deed' }) cz!: 'list' | 'add' | 'del';
  /** Of `del`. */
  @IsOptional() @Id() id?: number;
  /** As of {@link AllowInput}. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) word = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(1_000) path = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) note = '';
}

/** Names one match, or one file in quarantine. */
export class QuarantineInput {
  @Id() id!: number;
}

/** Names one rule of the allow list. */
export class AllowRuleInput {
  @Id() id!: number;
}
