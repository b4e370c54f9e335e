import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { ListInput, RowId, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { NodeSystem } from '../entities/index.js';

/** Longest time two calling keys work side by side: 30 days, in hours. */
const MAX_OVERLAP_HOURS = 720;
const DEFAULT_OVERLAP_HOURS = 24;
/** Hosts one server may be said to take. */
const MOST_HOSTS = 1_000_000;
const MOST_WEIGHT = 1_000;
const HOST_NAME = /^[A-Za-z0-9_.:[\]-]*$/;
/** Older pages send `false` for "none of its own". */
const falseIsNone = ({ value }: { value: unknown }): unknown => (value === 'false' ? '' : typeof value === 'string' ? value.trim() : value);

/** JSON text, as fields in brackets arrive. */
const OwnFields = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    try {
      return value === '' ? {} : (JSON.parse(value) as unknown);
    } catch {
      return value;
    }
  });

/** Which nodes, and how much of them. */
export class NodeListInput extends ListInput {
  /** Only what they are called, for whoever chooses one: neither keys and loads, nor their hosts counted. */
  @IsOptional() @Switch() @IsBoolean() mc?: boolean;
}

/** Names one node. */
export class NodeIdInput {
  @RowId() id!: number;
}

/** What `addbt` and `xgjl` set. */
class NodeFields {
  /** Address of the server: a name or an IP address, without `http://`. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) @Matches(HOST_NAME, { message: 'hosting.field_address' }) ip?: string;
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(65_535) dk?: number;
  /** API key of the server's own panel; never sent back. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) key?: string;
  /** 1 Linux, 2 Windows. */
  @IsOptional() @WholeNumber() @IsIn([NodeSystem.Linux, NodeSystem.Windows], { message: 'hosting.field_system' }) btos?: NodeSystem;
  /** DNS target shown to users. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(200) urlla?: string;
  /** FTP address shown to users; empty is the node's own. */
  @IsOptional()
  @Transform(falseIsNone)
  @IsString()
  @MaxLength(255)
  @Matches(HOST_NAME, { message: 'hosting.field_address' })
  ftpdz?: string;
  /** Whether the server's panel is spoken to over https. */
  @IsOptional() @Switch() @IsBoolean() xieyi?: boolean;
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** Hosts it takes at most; 0: any number. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MOST_HOSTS) rl?: number;
  /** How much of what groups place comes to it beside others. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(MOST_WEIGHT) qz?: number;
  /** Fields its kind declares: `cs[token]=…`. */
  @IsOptional() @OwnFields() @IsObject() cs: Record<string, unknown> = {};
}

/** Fields of `addbt`. */
export class AddNodeInput extends NodeFields {
  /** Node code, the reference used everywhere. */
  @Trimmed() @Matches(/^(?!auto$)[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/i, { message: 'hosting.field_code' }) bh!: string;
  /** What does the work there; without it `baota` for a node with a panel key, and one without is refused. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) driver?: string;
}

/** Fields of `xgjl`: what is missing stays as it is, and an empty `key` keeps the stored one. */
export class EditNodeInput extends NodeFields {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

/** Fields of `btkg`. */
export class NodeSwitchInput extends NodeIdInput {
  @Switch() @IsBoolean() kg!: boolean;
}

/** Fields of `btmygx`. */
export class RotateKeysInput extends NodeIdInput {
  /** Hours the old key still works; 0 ends it at once. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_OVERLAP_HOURS) xs = DEFAULT_OVERLAP_HOURS;
}

/** Fields of `btztjc`. */
export class NodeTestInput {
  @RowId() btid!: number;
}

/** Fields of the operations on a node's PHP. */
export class NodePhpInput {
  /** Node code. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) btdh = '';
}

/** Fields of `set_node_php`. */
export class SetNodePhpInput extends NodePhpInput {
  @IsOptional() @Trimmed() @Matches(/^\d{2,3}$|^$/, { message: 'hosting.field_php' }) version = '';
}
