import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { ListInput, RowId, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { NodeSystem } from '../entities/index.js';

/** Maximum time two calling keys are valid in parallel: 30 days, in hours. */
const MAX_OVERLAP_HOURS = 720;
const DEFAULT_OVERLAP_HOURS = 24;
/** Maximum capacity of one server. */
const MAX_HOSTS = 1_000_000;
const MAX_WEIGHT = 1_000;
const HOST_NAME = /^[A-Za-z0-9_.:[\]-]*$/;
/** Older pages send `false` instead of an empty value. */
const falseIsNone = ({ value }: { value: unknown }): unknown => (value === 'false' ? '' : typeof value === 'string' ? value.trim() : value);

/** JSON text, into which fields in brackets are converted. */
const OwnFields = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    try {
      return value === '' ? {} : (JSON.parse(value) as unknown);
    } catch {
      return value;
    }
  });

/** Input: a page of nodes. */
export class NodeListInput extends ListInput {
  /** Returns only names, for a selection: no keys, loads or host counts. */
  @IsOptional() @Switch() @IsBoolean() mc?: boolean;
}

/** Identifies a node. */
export class NodeIdInput {
  @RowId() id!: number;
}

/** Fields of `addbt` and `xgjl`. */
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
  /** FTP address shown to users; empty: the node's own. */
  @IsOptional()
  @Transform(falseIsNone)
  @IsString()
  @MaxLength(255)
  @Matches(HOST_NAME, { message: 'hosting.field_address' })
  ftpdz?: string;
  /** Whether the server's panel uses https. */
  @IsOptional() @Switch() @IsBoolean() xieyi?: boolean;
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** Maximum number of hosts; 0: unlimited. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_HOSTS) rl?: number;
  /** Its share of the hosts placed by groups, relative to other servers. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(MAX_WEIGHT) qz?: number;
  /** Fields declared by its kind: `cs[token]=…`. */
  @IsOptional() @OwnFields() @IsObject() cs: Record<string, unknown> = {};
}

/** Fields of `addbt`. */
export class AddNodeInput extends NodeFields {
  /** Node code, the reference used everywhere. */
  @Trimmed() @Matches(/^(?!auto$)[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/i, { message: 'hosting.field_code' }) bh!: string;
  /** Driver; if omitted, `baota` for a node with a panel key, otherwise the request is rejected. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) driver?: string;
}

/** Fields of `xgjl`; missing ones stay unchanged, and an empty `key` keeps the stored one. */
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
  /** Hours the old key stays valid; 0 ends it immediately. */
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
