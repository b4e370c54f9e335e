import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, IsTimeZone, Matches, Max, MaxLength, Min, MinLength, validateSync } from 'class-validator';

import { API_VERSION } from '../sdk/index.js';

const emptyIsUnset = ({ value }: { value: unknown }): unknown => (value === '' ? undefined : value);
const toInteger = ({ value }: { value: unknown }): unknown =>
  value === '' || value === undefined ? undefined : Number(value);

/** The environment as it is written, before defaults. `.env.example` says the same in words. */
export class Environment {
  @IsOptional() @IsString() @Transform(emptyIsUnset) HOST?: string;
  @IsOptional() @IsInt() @Min(0) @Max(65535) @Transform(toInteger) PORT?: number;
  @IsOptional() @IsInt() @Min(0) @Max(65535) @Transform(toInteger) SITES_PORT?: number;
  @IsOptional() @Matches(/^https?:\/\/[^\s/]+(\/\S*)?$/) @Transform(emptyIsUnset) BASE_URL?: string;
  @IsOptional() @IsString() @Transform(emptyIsUnset) DATA_DIR?: string;
  @IsOptional()
  @Matches(/^(sqlite:.+|mysql:\/\/.+|mariadb:\/\/.+)$/, {
    message: 'DATABASE_URL must be sqlite:/path/to/file or mysql://user:password@host:port/database',
  })
  @Transform(emptyIsUnset)
  DATABASE_URL?: string;
  @IsOptional() @Matches(/^rediss?:\/\/.+$/) @Transform(emptyIsUnset) REDIS_URL?: string;
  @IsOptional() @Matches(/^(panel|store|worker)(,(panel|store|worker))*$/) @Transform(emptyIsUnset) SERVICES?: string;
  @IsOptional() @IsString() @Transform(emptyIsUnset) TRUST_PROXY?: string;
  @IsOptional() @IsString() @Transform(emptyIsUnset) OUTBOUND_ALLOW?: string;
  @IsOptional() @IsTimeZone() @Transform(emptyIsUnset) TIMEZONE?: string;
  @IsOptional() @Matches(/^[A-Za-z0-9_.@-]{3,64}$/) @Transform(emptyIsUnset) ADMIN_USERNAME?: string;
  @IsOptional() @MinLength(8) @MaxLength(256) @Transform(emptyIsUnset) ADMIN_PASSWORD?: string;
  @IsOptional() @Matches(/^[\x21-\x7e]{16,128}$/) @Transform(emptyIsUnset) API_KEY?: string;
  @IsOptional() @Matches(/^(svg|off|fixed:[A-Za-z0-9]{1,16})$/) @Transform(emptyIsUnset) CAPTCHA?: string;
  @IsOptional() @IsInt() @Min(0) @Max(65536) @Transform(toInteger) STORE_SEARCH_MB?: number;
  @IsOptional() @Matches(/^https?:\/\/\S+$/) @Transform(emptyIsUnset) STORE_S3_ENDPOINT?: string;
  @IsOptional() @Matches(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/) @Transform(emptyIsUnset) STORE_S3_BUCKET?: string;
  @IsOptional() @Matches(/^[A-Za-z0-9-]{1,64}$/) @Transform(emptyIsUnset) STORE_S3_REGION?: string;
  @IsOptional() @Matches(/^[\x21-\x7e]{3,256}$/) @Transform(emptyIsUnset) STORE_S3_ACCESS_KEY?: string;
  @IsOptional() @Matches(/^[\x21-\x7e]{3,256}$/) @Transform(emptyIsUnset) STORE_S3_SECRET_KEY?: string;
  @IsOptional()
  @Matches(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/, { message: 'STORE_S3_PREFIX must be names with slashes between them, such as store/packages' })
  @Transform(emptyIsUnset)
  STORE_S3_PREFIX?: string;
  @IsOptional() @IsIn(['on', 'off']) @Transform(emptyIsUnset) RATE_LIMIT?: 'on' | 'off';
  @IsOptional() @IsString() @Transform(emptyIsUnset) NODE_ENV?: string;
}

/** Thrown at start for an environment that cannot be used; the message names every variable that is wrong. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration cannot be used (panel ${API_VERSION}):\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/** Reads and checks the environment. @throws ConfigurationError naming every variable that is wrong */
export function parseEnvironment(env: NodeJS.ProcessEnv): Environment {
  const known = Object.fromEntries(
    [
      'HOST', 'PORT', 'SITES_PORT', 'BASE_URL', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'SERVICES', 'TRUST_PROXY',
      'OUTBOUND_ALLOW', 'TIMEZONE', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'API_KEY', 'CAPTCHA', 'STORE_SEARCH_MB', 'STORE_S3_ENDPOINT',
      'STORE_S3_BUCKET', 'STORE_S3_REGION', 'STORE_S3_ACCESS_KEY', 'STORE_S3_SECRET_KEY', 'STORE_S3_PREFIX', 'RATE_LIMIT', 'NODE_ENV',
    ].map((name) => [name, env[name]]),
  );
  const environment = plainToInstance(Environment, known);
  const problems = validateSync(environment, { skipMissingProperties: true }).flatMap((error) =>
    Object.values(error.constraints ?? {}).map((text) => (text.includes(error.property) ? text : `${error.property}: ${text}`)),
  );
  if (problems.length) throw new ConfigurationError(problems);
  return environment;
}
