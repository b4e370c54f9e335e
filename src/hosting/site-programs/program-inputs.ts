import { IsIn, IsOptional, Matches } from 'class-validator';

import { Switch, Trimmed } from '../../operations/index.js';

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
