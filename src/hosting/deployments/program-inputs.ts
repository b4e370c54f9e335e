import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { toFen } from '../../common/index.js';
import { MAX_ID } from '../../database/index.js';
import { VersionField } from '../../http/index.js';
import { JsonText, ListInput, RowId, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { MAX_PRICE } from '../max-price.js';

/** Characters of a description. */
const LONGEST_WORDS = 10_000;
/** Characters of a form or of steps as JSON. */
const LONGEST_JSON = 200_000;

/** Yuan as somebody writes it, in fen; empty: nothing. */
const Yuan = (): PropertyDecorator => (target, property) => {
  const read = Transform(({ value }: { value: unknown }) => (value === '' ? 0 : (toFen(String(value)) ?? value)));
  const wrong = { message: 'deploy.price_rule' };
  for (const decorate of [IsOptional(), read, IsInt(wrong), Min(0, wrong), Max(MAX_PRICE, wrong)]) decorate(target, property);
};
/** MB; empty: none are needed. */
const Megabytes = (): PropertyDecorator => (target, property) => {
  const wrong = { message: 'deploy.megabytes_rule' };
  for (const decorate of [IsOptional(), WholeNumber(), IsInt(wrong), Min(0, wrong), Max(100_000_000, wrong)]) decorate(target, property);
};
const Id = (): PropertyDecorator => (target, property) => {
  for (const decorate of [WholeNumber(), IsInt(), Min(1), Max(MAX_ID)]) decorate(target, property);
};

/** Form and steps, as JSON or as fields in brackets. */
export class ProgramPlanInput {
  /** Form. */
  @IsOptional() @IsString({ message: 'deploy.form_unreadable' }) @MaxLength(LONGEST_JSON) bdf?: string;
  /** Steps. */
  @IsOptional() @IsString({ message: 'deploy.steps_unreadable' }) @MaxLength(LONGEST_JSON) czf?: string;
  /** What is shown at the end. */
  @IsOptional() @IsString() @MaxLength(LONGEST_WORDS) alerts?: string;
}

/** What is said of a program. */
class ProgramFields extends ProgramPlanInput {
  /** Yuan. */
  @Yuan() cxrmb?: number;
  /** Address its archive is fetched from. */
  @IsOptional()
  @Trimmed()
  @Matches(/^(?:https?:\/\/\S{1,1000})?$/i, { message: 'deploy.url_rule' })
  url = '';
}

/** Fields of `cxtj`; the archive is the file `filecx`, or fetched from `url`, or follows with `cxwj`. */
export class AddProgramInput extends ProgramFields {
  @Trimmed() @IsString() @MaxLength(190, { message: 'deploy.name_rule' }) cxname!: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_WORDS) cxjs = '';
  @Megabytes() cxwebkj?: number;
  @Megabytes() cxsqlkj?: number;
  @IsOptional() @Switch() @IsBoolean() kg = false;
}

/** Fields of `cxxgjl`; what is not sent stays. */
export class ChangeProgramInput extends ProgramFields {
  @Id() id!: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(190, { message: 'deploy.name_rule' }) cxname?: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_WORDS) cxjc?: string;
  @Megabytes() webkj?: number;
  @Megabytes() sqlkj?: number;
  @IsOptional() @Switch() @IsBoolean() cxkg?: boolean;
  /** Addresses of the pictures it keeps, with commas; those in `imgfile[]` come behind. */
  @IsOptional() @IsString() @MaxLength(2_000) src?: string;
  @VersionField() row_version?: string;
}

/** Names a program. */
export class ProgramInput {
  @Id() id!: number;
}

/** Fields of `cxkg`. */
export class ProgramSwitchInput extends ProgramInput {
  @Switch() @IsBoolean() kg!: boolean;
}

/** Names several programs. */
export class ProgramsInput {
  /** A JSON array, or ids with commas. */
  @IsString() @MaxLength(10_000) idsz!: string;
}

/** Fields of `cxwj`: a piece of an archive, the file `file`. */
export class ArchivePieceInput extends ProgramInput {
  /** Bytes before it. */
  @WholeNumber() @IsInt() @Min(0) fesw!: number;
  /** Bytes of the whole. */
  @WholeNumber() @IsInt() @Min(1) zsize!: number;
  @VersionField() row_version?: string;
}

/** Fields of `cxdc`. */
export class ExportProgramsInput {
  /** A JSON array, or ids with commas; empty: all. */
  @IsOptional() @IsString() @MaxLength(10_000) id = '';
}

/** Fields of `cxfiledru`: a piece of an export, the file `file`. */
export class ImportPieceInput {
  /** Bytes before it. */
  @WholeNumber() @IsInt() @Min(0) fesw!: number;
  /** Bytes of the whole. */
  @WholeNumber() @IsInt() @Min(1) zsize!: number;
  /** Whether they are offered at once. */
  @IsOptional() @Switch() @IsBoolean() sxj = false;
}

/** Fields of `listbs`. */
export class ProgramListInput extends ListInput {}

/** Fields of `cxyl`, and beside them the answers to the form. */
export class TryProgramInput {
  /** The host. */
  @Id() id!: number;
  /** The program. */
  @Id() bs!: number;
  /** Answers as JSON; else they are fields by the names of the variables. */
  @IsOptional() @JsonText() datas?: unknown;
}

/** Fields of `yjbs`, and beside them the answers to the form. */
export class DeployInput extends ProgramInput {
  /** Answers as JSON; else they are fields by the names of the variables. */
  @IsOptional() @JsonText() datas?: unknown;
}

/** Fields of `listbsjl`. */
export class DeploymentListInput extends ListInput {}

/** Names a deployment: by its id, or by its task. */
export class DeploymentInput {
  @IsOptional() @RowId() bs?: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) task_id = '';
}
