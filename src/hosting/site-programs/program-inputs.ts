import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { Switch, Trimmed } from '../../operations/index.js';
import { DATABASE_PASSWORD } from '../site-tools/index.js';

const MAX_PATH = 4_096;

/** Fields of `phpxg`. */
export class PhpInput {
  /** `82`, and as people write it, `8.2`. Whether the server has any comes first. */
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
  /** Empty: one is made. */
  @IsOptional()
  @ValidateIf((_, value) => value !== '')
  @Matches(DATABASE_PASSWORD, { message: 'hosting.database_password' })
  pass = '';
}

/** Fields of `databaseaq1`. */
export class DatabaseAddressesInput {
  /** IP addresses with commas, spaces or lines between, or `%`; empty and `127.0.0.1`: the server itself alone. */
  @IsOptional() @IsString() @MaxLength(2_000) dataAccess = '';
  @VersionField() row_version?: string;
}

/** Names a backup: by its id, or by what older programs call it. */
export class DatabaseBackupInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(160) bf = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(160) filename = '';
}

/** The same of owners, whose older programs send `id`; that of administrators is the host's. */
export class OwnDatabaseBackupInput extends DatabaseBackupInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(160) id = '';
}

/** Fields of `sqldr`: a file of the site. */
export class DatabaseImportInput {
  @IsOptional() @IsString() @MaxLength(MAX_PATH) path = '/';
  /** Its name in `path`, or its path. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) filename!: string;
}

/** Fields of `sqldc`: a file of the site that is not there yet. */
export class DatabaseExportInput {
  /** A folder that is there. */
  @IsOptional() @IsString() @MaxLength(MAX_PATH) path = '/';
  /** Its name in `path`, or its path; ending in `.sql.gz`. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) filename!: string;
}

/** Names a task. */
export class DatabaseTaskInput {
  @IsString() @IsNotEmpty() @MaxLength(60) task_id!: string;
}
