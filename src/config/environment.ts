import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { IsEmpty, IsIn, IsInt, IsOptional, IsString, IsTimeZone, Length, Matches, Max, Min, validateSync } from 'class-validator';

import { LOG_LEVELS } from '../common/index.js';
import { API_VERSION } from '../sdk/index.js';

/** A validation rule of a variable. The message says what is allowed and never contains the value, which may be a secret. */
type Rule = (options: { message: string }) => PropertyDecorator;

/** Marks a variable as optional; an empty value counts as unset. @param mustBe what is allowed, as a phrase to follow "NAME must be" */
const Variable = (mustBe: string, ...rules: Rule[]): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    ...rules.map((rule) => rule({ message: `$property must be ${mustBe}` })),
    Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value)),
  );

const pattern =
  (form: RegExp): Rule =>
  (options) =>
    Matches(form, options);

const Whole = (min: number, max: number, hint = ''): PropertyDecorator =>
  applyDecorators(
    Variable(
      `a whole number from ${min} to ${max}${hint}`,
      (options) => IsInt(options),
      (options) => Min(min, options),
      (options) => Max(max, options),
    ),
    Transform(({ value }: { value: unknown }) =>
      typeof value !== 'string' || value === '' ? value : /^\s*\d+\s*$/.test(value) ? Number(value) : NaN,
    ),
  );

/** Accepts other spellings of a switch, in any case. */
const Spelt = (as: Readonly<Record<string, readonly string[]>>): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    const given = value.trim().toLowerCase();
    return Object.entries(as).find(([name, others]) => name === given || others.includes(given))?.[0] ?? value;
  });

/** Variables of a bucket. */
const S3_ENDPOINT = Variable(
  'the address of the service with http:// or https://, such as https://s3.eu-central-1.amazonaws.com',
  pattern(/^https?:\/\/\S+$/),
);
const S3_BUCKET = Variable(
  'the name of a bucket: 2 to 63 letters, digits and . _ -, starting with a letter or digit',
  pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/),
);
const S3_REGION = Variable('1 to 64 letters, digits and hyphens, such as us-east-1', pattern(/^[A-Za-z0-9-]{1,64}$/));
const S3_KEY = Variable('3 to 256 characters of ASCII without spaces', pattern(/^[\x21-\x7e]{3,256}$/));
const S3_PREFIX = Variable('names separated by slashes, such as store/packages', pattern(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/));

/** At most 180 characters, so that `<user>.` fits in front of it. Must not end in a number, which would make it an IP address. */
const SITES_DOMAIN =
  /^(?=[^:]{1,180}(?::|$))(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5]))?$/;

const PORT_NUMBER = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
/** A listening port, optionally followed by a different public port. */
const LISTENED_AND_PUBLIC = new RegExp(`^(?:0|${PORT_NUMBER})(?::${PORT_NUMBER})?$`);

const ON = ['true', 'yes', '1', 'enabled'];
const OFF = ['false', 'no', '0', 'none', 'disabled'];

/** The environment variables before defaults. `.env.example` documents them. */
export class Environment {
  @Variable('an address', () => IsString()) HOST?: string;
  @Whole(0, 65_535, '; 0 uses a free port') PORT?: number;
  @Whole(0, 65_535, '; 0 uses a free port') SITES_PORT?: number;
  @Variable('a port, such as 3443, or a port with the public port, such as 3443:443; 0 uses a free port', pattern(LISTENED_AND_PUBLIC))
  SITES_TLS_PORT?: string;
  @Variable('a domain name, such as sites.example.com, or with the public port, such as sites.example.com:80', pattern(SITES_DOMAIN))
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  SITES_DOMAIN?: string;
  @Variable('an address with http:// or https://, such as https://panel.example.com', pattern(/^https?:\/\/[^\s/]+(\/\S*)?$/))
  BASE_URL?: string;
  @Variable('a folder', () => IsString()) DATA_DIR?: string;
  @Variable('sqlite:/path/to/file or mysql://user:password@host:port/database', pattern(/^(sqlite:.+|mysql:\/\/.+|mariadb:\/\/.+)$/))
  DATABASE_URL?: string;
  @Variable('redis://host:port or rediss://host:port', pattern(/^rediss?:\/\/.+$/)) REDIS_URL?: string;
  @Variable(
    'one or more of panel, store and worker, separated by commas, such as panel,worker',
    pattern(/^(panel|store|worker)(,(panel|store|worker))*$/),
  )
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\s/g, '') : value))
  SERVICES?: string;
  @Variable('addresses or CIDR ranges', () => IsString()) TRUST_PROXY?: string;
  @Variable('addresses or CIDR ranges', () => IsString()) OUTBOUND_ALLOW?: string;
  @Variable('addresses or CIDR ranges', () => IsString()) MONITOR_ALLOW?: string;
  @Variable('the name of a time zone, such as Asia/Shanghai or UTC', (options) => IsTimeZone(options)) TIMEZONE?: string;
  @Variable('3 to 64 letters, digits and . _ @ -', pattern(/^[A-Za-z0-9_.@-]{3,64}$/)) ADMIN_USERNAME?: string;
  @Variable('8 to 256 characters long', (options) => Length(8, 256, options)) ADMIN_PASSWORD?: string;
  @Variable('16 to 128 characters of ASCII without spaces', pattern(/^[\x21-\x7e]{16,128}$/)) API_KEY?: string;
  @Variable(
    'svg (or on), off, or fixed: with 1 to 16 letters and digits, such as fixed:abcd',
    pattern(/^(svg|off|fixed:[A-Za-z0-9]{1,16})$/),
  )
  @Spelt({ svg: ['on', ...ON], off: OFF })
  CAPTCHA?: string;
  @Whole(0, 24, ' (bits); 0 disables it') CAPTCHA_WORK?: number;
  @Variable('removed: the search of the store no longer has a limit', (options) => IsEmpty(options)) STORE_SEARCH_MB?: string;
  @Whole(0, 300, ' seconds') SHUTDOWN_DRAIN_SECONDS?: number;
  @Whole(2, 600, ' seconds') SHUTDOWN_LIMIT_SECONDS?: number;
  @Variable(
    'an address with https://, or with http:// on this machine, such as https://store.example.com',
    pattern(/^https?:\/\/[^\s/?#@]+\/?$/),
  )
  STORE_URL?: string;
  @S3_ENDPOINT STORE_S3_ENDPOINT?: string;
  @S3_BUCKET STORE_S3_BUCKET?: string;
  @S3_REGION STORE_S3_REGION?: string;
  @S3_KEY STORE_S3_ACCESS_KEY?: string;
  @S3_KEY STORE_S3_SECRET_KEY?: string;
  @S3_PREFIX STORE_S3_PREFIX?: string;
  @S3_ENDPOINT BACKUP_S3_ENDPOINT?: string;
  @S3_BUCKET BACKUP_S3_BUCKET?: string;
  @S3_REGION BACKUP_S3_REGION?: string;
  @S3_KEY BACKUP_S3_ACCESS_KEY?: string;
  @S3_KEY BACKUP_S3_SECRET_KEY?: string;
  @S3_PREFIX BACKUP_S3_PREFIX?: string;
  @Whole(5, 1_024) BACKUP_S3_PART_MB?: number;
  @Variable('a folder', () => IsString()) BACKUP_DIR?: string;
  @Variable('on or off', (options) => IsIn(['on', 'off'], options))
  @Spelt({ on: ON, off: OFF })
  RATE_LIMIT?: 'on' | 'off';
  @Variable('16 to 128 characters of ASCII without spaces', pattern(/^[\x21-\x7e]{16,128}$/)) METRICS_TOKEN?: string;
  @Variable('1 or 0', (options) => IsIn(['1', '0'], options))
  @Spelt({ '1': ON, '0': OFF })
  SAFE_MODE?: '1' | '0';
  @Variable(`one of ${LOG_LEVELS.join(', ')}`, (options) => IsIn(LOG_LEVELS, options))
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  LOG_LEVEL?: string;
  @Variable('a text', () => IsString()) NODE_ENV?: string;
}

/** Thrown at startup for an invalid environment; the message names every invalid variable. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is invalid (panel ${API_VERSION}):\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/** Reads and validates the environment. @throws ConfigurationError naming every invalid variable */
export function parseEnvironment(env: NodeJS.ProcessEnv): Environment {
  const known = Object.fromEntries(
    [
      'HOST',
      'PORT',
      'SITES_PORT',
      'SITES_TLS_PORT',
      'SITES_DOMAIN',
      'BASE_URL',
      'DATA_DIR',
      'DATABASE_URL',
      'REDIS_URL',
      'SERVICES',
      'TRUST_PROXY',
      'OUTBOUND_ALLOW',
      'MONITOR_ALLOW',
      'TIMEZONE',
      'ADMIN_USERNAME',
      'ADMIN_PASSWORD',
      'API_KEY',
      'CAPTCHA',
      'CAPTCHA_WORK',
      'STORE_SEARCH_MB',
      'STORE_URL',
      'SHUTDOWN_DRAIN_SECONDS',
      'SHUTDOWN_LIMIT_SECONDS',
      'STORE_S3_ENDPOINT',
      'STORE_S3_BUCKET',
      'STORE_S3_REGION',
      'STORE_S3_ACCESS_KEY',
      'STORE_S3_SECRET_KEY',
      'STORE_S3_PREFIX',
      'BACKUP_DIR',
      'BACKUP_S3_ENDPOINT',
      'BACKUP_S3_BUCKET',
      'BACKUP_S3_REGION',
      'BACKUP_S3_ACCESS_KEY',
      'BACKUP_S3_SECRET_KEY',
      'BACKUP_S3_PREFIX',
      'BACKUP_S3_PART_MB',
      'RATE_LIMIT',
      'METRICS_TOKEN',
      'SAFE_MODE',
      'LOG_LEVEL',
      'NODE_ENV',
    ].map((name) => [name, env[name]]),
  );
  const environment = plainToInstance(Environment, known);
  // A value may violate several rules of a variable, which share one message.
  const problems = [
    ...new Set(validateSync(environment, { skipMissingProperties: true }).flatMap(({ constraints = {} }) => Object.values(constraints))),
  ];
  if (problems.length) throw new ConfigurationError(problems);
  return environment;
}
