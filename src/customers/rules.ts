import { isEmail } from 'class-validator';

import { MIN_PASSWORD } from '../auth/index.js';

import { CustomerError } from './errors.js';

/** In characters. */
const MAX_PASSWORD = 64;
const MAX_EMAIL = 128;

/** Contact data of an account. Values are trimmed by {@link checkContact}. */
export interface Contact {
  readonly email: string;
  readonly qq: string;
}

/** Validates the name of a new account. Source: plugins.md "user_info". @throws CustomerError USERNAME_RULE */
export function checkName(username: string): string {
  const name = username.trim();
  if (!/^[A-Za-z0-9_]{3,32}$/.test(name)) throw refusal('USERNAME_RULE', 'username');
  return name;
}

/** @throws CustomerError PASSWORD_SHORT, PASSWORD_RULE, PASSWORDS_DIFFER */
export function checkNewPassword(password: string, again: string, field = 'password'): void {
  const { length } = [...password];
  if (length < MIN_PASSWORD) throw refusal('PASSWORD_SHORT', field);
  if (length > MAX_PASSWORD || /[\p{Cc}\uFFFD]/u.test(password)) throw refusal('PASSWORD_RULE', field);
  if (password !== again) throw refusal('PASSWORDS_DIFFER', `${field}2`);
}

/** Validates contact data; both may be empty. @throws CustomerError EMAIL_RULE, QQ_RULE */
export function checkContact(given: Contact): Contact {
  const contact = { email: given.email.trim(), qq: given.qq.trim() };
  if (contact.email !== '' && !isMail(contact.email)) throw refusal('EMAIL_RULE', 'email');
  if (contact.qq !== '' && !/^\d{5,12}$/.test(contact.qq)) throw refusal('QQ_RULE', 'qq');
  return contact;
}

/** @throws CustomerError EMAIL_RULE */
export function checkMail(given: string): string {
  const mail = given.trim();
  if (!isMail(mail)) throw refusal('EMAIL_RULE', 'email');
  return mail;
}

const isMail = (text: string): boolean => text.length <= MAX_EMAIL && isEmail(text);

/** Creates an error that names the field of the form. */
export function refusal(code: CustomerError['code'], field: string): CustomerError {
  return new CustomerError(code, {}, { [field]: new CustomerError(code).shape.text });
}
