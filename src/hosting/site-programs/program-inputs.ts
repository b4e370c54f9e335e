import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { Switch, Trimmed } from '../../operations/index.js';
import { DATABASE_PASSWORD } from '../site-tools/index.js';

const MAX_PATH = 4_096;

/** Fields of `phpxg`. */
export class PhpInput {
  /** `82`, or `8.2` as people write it. May be empty, because whether the server supports PHP is checked first. */
  @IsOptional()
  @Trimmed()
  @Matches(/^(?:\d{2,3}|\d\.\d{1,2})?$/, { message: 'siteprograms.php_version' })
  php = '';
}

/** Fields of `ftpkg`. */
export class FileAccessInput {
  @Switch() @IsIn([true, false]) kg!: boolean;
}

/** Fields of `databasemm`. */
export class DatabasePasswordInput {
  /** Empty: one is generated. */
  @IsOptional()
  @ValidateIf((_, value) => value !== '')
  @Matches(DATABASE_PASSWORD, { message: 'hosting.database_password' })
  pass = '';
}

/** Fields of `databaseaq1`. */
export class DatabaseAddressesInput {
  /** IP addresses separated by commas, spaces or lines, or `%`; empty or `127.0.0.1`: local access only. */
  @IsOptional() @IsString() @MaxLength(2_000) dataAccess = '';
  @VersionField() row_version?: string;
}

/** Identifies a backup, by its id or by the name older programs use. */
export class DatabaseBackupInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(160) bf = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(160) filename = '';
}

/** Input of owners, whose older programs send `id`; for administrators, `id` is the host's. */
export class OwnDatabaseBackupInput extends DatabaseBackupInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(160) id = '';
}

/** Fields of `sqldr`: a file of the site. */
export class DatabaseImportInput {
  @IsOptional() @IsString() @MaxLength(MAX_PATH) path = '/';
  /** Its name in `path`, or its full path. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) filename!: string;
}

/** Fields of `sqldc`: a new file of the site. */
export class DatabaseExportInput {
  /** An existing folder. */
  @IsOptional() @IsString() @MaxLength(MAX_PATH) path = '/';
  /** Its name in `path`, or its full path; ends with `.sql.gz`. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) filename!: string;
}

/** Identifies a task. */
export class DatabaseTaskInput {
  @IsString() @IsNotEmpty() @MaxLength(60) task_id!: string;
}
