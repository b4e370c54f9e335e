import { AppError, type ErrorShape } from '../../common/index.js';

/** Codes of {@link WebSettingError}. */
export type WebSettingErrorCode =
  | 'INDEX'
  | 'PROGRAM'
  | 'FOLDER'
  | 'FROM'
  | 'TO'
  | 'CIRCLE'
  | 'TAKEN'
  | 'NAME'
  | 'PASSWORD'
  | 'SUFFIX_EMPTY'
  | 'SUFFIX'
  | 'TIME'
  | 'DOMAIN'
  | 'LEVEL'
  | 'SIZE'
  | 'TYPE'
  | 'PAGE'
  | 'MISSING'
  | 'TOO_MANY'
  | 'SECTION'
  | 'TEMPLATE'
  | 'RULE';

const args = (text: string): ErrorShape => ({ err: 'E_ARGS', text: `hosting.setting_${text}` });

const ERROR_MAP: Record<WebSettingErrorCode, ErrorShape> = {
  INDEX: args('index'),
  PROGRAM: args('program'),
  FOLDER: args('folder'),
  FROM: args('from'),
  TO: args('to'),
  CIRCLE: args('circle'),
  TAKEN: { err: 'E_EXISTS', text: 'hosting.setting_taken' },
  NAME: args('name'),
  PASSWORD: args('password'),
  SUFFIX_EMPTY: args('suffix_empty'),
  SUFFIX: args('suffix'),
  TIME: args('time'),
  DOMAIN: args('domain'),
  LEVEL: args('level'),
  SIZE: args('size'),
  TYPE: args('type'),
  PAGE: args('page'),
  MISSING: { err: 'E_NOTEXIST', text: 'hosting.setting_missing' },
  TOO_MANY: { err: 'E_LIMIT', text: 'hosting.setting_too_many' },
  SECTION: args('section'),
  TEMPLATE: args('template'),
  RULE: args('rule'),
};

/** A rejected change of a setting of a site. */
export class WebSettingError extends AppError<WebSettingErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** @param field form field concerned @throws WebSettingError */
export function refuse(code: WebSettingErrorCode, field: string, params: Record<string, string | number> = {}): never {
  throw new WebSettingError(code, params, { [field]: { key: ERROR_MAP[code].text, params } });
}
