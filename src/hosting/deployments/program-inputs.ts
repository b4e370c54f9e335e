import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { toFen } from '../../common/index.js';
import { MAX_ID } from '../../database/index.js';
import { VersionField } from '../../http/index.js';
import { JsonText, ListInput, RowId, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { MAX_PRICE } from '../max-price.js';

/** Maximum length of a description, in characters. */
const MAX_TEXT = 10_000;
/** Maximum length of a form or of steps as JSON, in characters. */
const MAX_JSON = 200_000;

/** An amount in yuan, converted to fen; empty for none. */
const Yuan = (): PropertyDecorator => (target, property) => {
  const read = Transform(({ value }: { value: unknown }) => (value === '' ? 0 : (toFen(String(value)) ?? value)));
  const wrong = { message: 'deploy.price_rule' };
  for (const decorate of [IsOptional(), read, IsInt(wrong), Min(0, wrong), Max(MAX_PRICE, wrong)]) decorate(target, property);
};
/** MB; empty for no requirement. */
const Megabytes = (): PropertyDecorator => (target, property) => {
  const wrong = { message: 'deploy.megabytes_rule' };
  for (const decorate of [IsOptional(), WholeNumber(), IsInt(wrong), Min(0, wrong), Max(100_000_000, wrong)]) decorate(target, property);
};
const Id = (): PropertyDecorator => (target, property) => {
  for (const decorate of [WholeNumber(), IsInt(), Min(1), Max(MAX_ID)]) decorate(target, property);
};

/** Form and steps, as JSON or as bracketed fields. */
export class ProgramPlanInput {
  /** Form. */
  @IsOptional() @IsString({ message: 'deploy.form_unreadable' }) @MaxLength(MAX_JSON) bdf?: string;
  /** Steps. */
  @IsOptional() @IsString({ message: 'deploy.steps_unreadable' }) @MaxLength(MAX_JSON) czf?: string;
  /** Message shown at the end. */
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) alerts?: string;
}

/** Description of a program. */
class ProgramFields extends ProgramPlanInput {
  /** Price in yuan. */
  @Yuan() cxrmb?: number;
  /** URL from which its archive is downloaded. */
  @IsOptional()
  @Trimmed()
  @Matches(/^(?:https?:\/\/\S{1,1000})?$/i, { message: 'deploy.url_rule' })
  url = '';
}

/** Fields of `cxtj`; the archive is the file `filecx`, or downloaded from `url`, or uploaded later with `cxwj`. */
export class AddProgramInput extends ProgramFields {
  @Trimmed() @IsString() @MaxLength(190, { message: 'deploy.name_rule' }) cxname!: string;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) cxjs = '';
  @Megabytes() cxwebkj?: number;
  @Megabytes() cxsqlkj?: number;
  @IsOptional() @Switch() @IsBoolean() kg = false;
}

/** Fields of `cxxgjl`; missing fields stay unchanged. */
export class ChangeProgramInput extends ProgramFields {
  @Id() id!: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(190, { message: 'deploy.name_rule' }) cxname?: string;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT) cxjc?: string;
  @Megabytes() webkj?: number;
  @Megabytes() sqlkj?: number;
  @IsOptional() @Switch() @IsBoolean() cxkg?: boolean;
  /** URLs of the pictures to keep, separated by commas; those in `imgfile[]` are appended. */
  @IsOptional() @IsString() @MaxLength(2_000) src?: string;
  @VersionField() row_version?: string;
}

/** Identifies a program. */
export class ProgramInput {
  @Id() id!: number;
}

/** Fields of `cxkg`. */
export class ProgramSwitchInput extends ProgramInput {
  @Switch() @IsBoolean() kg!: boolean;
}

/** Identifies several programs. */
export class ProgramsInput {
  /** A JSON array, or ids separated by commas. */
  @IsString() @MaxLength(10_000) idsz!: string;
}

/** Fields of `cxwj`: a chunk of an archive, the file `file`. */
export class ArchivePieceInput extends ProgramInput {
  /** Offset of the chunk in bytes. */
  @WholeNumber() @IsInt() @Min(0) fesw!: number;
  /** Total size in bytes. */
  @WholeNumber() @IsInt() @Min(1) zsize!: number;
  @VersionField() row_version?: string;
}

/** Fields of `cxdc`. */
export class ExportProgramsInput {
  /** A JSON array, or ids separated by commas; empty for all. */
  @IsOptional() @IsString() @MaxLength(10_000) id = '';
}

/** Fields of `cxfiledru`: a chunk of an export, the file `file`. */
export class ImportPieceInput {
  /** Offset of the chunk in bytes. */
  @WholeNumber() @IsInt() @Min(0) fesw!: number;
  /** Total size in bytes. */
  @WholeNumber() @IsInt() @Min(1) zsize!: number;
  /** Whether the programs are offered immediately. */
  @IsOptional() @Switch() @IsBoolean() sxj = false;
}

/** Fields of `listbs`. */
export class ProgramListInput extends ListInput {}

/** Fields of `cxyl`, together with the answers to the form. */
export class TryProgramInput {
  /** Id of the host. */
  @Id() id!: number;
  /** Id of the program. */
  @Id() bs!: number;
  /** Answers as JSON; otherwise they are separate fields by variable name. */
  @IsOptional() @JsonText() datas?: unknown;
}

/** Fields of `yjbs`, together with the answers to the form. */
export class DeployInput extends ProgramInput {
  /** Answers as JSON; otherwise they are separate fields by variable name. */
  @IsOptional() @JsonText() datas?: unknown;
}

/** Fields of `listbsjl`. */
export class DeploymentListInput extends ListInput {}

/** Identifies a deployment by its id or its task. */
export class DeploymentInput {
  @IsOptional() @RowId() bs?: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) task_id = '';
}
