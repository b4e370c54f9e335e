import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import {
  AUTHOR_SIGNATURE_FILE,
  authorSignatureFile,
  authorSuccessionText,
  authorText,
  keyIdOf,
  verifiedKeys,
  type AuthorKey,
} from '../../packaging/index.js';

import { AuthorError } from './author-error.js';
import { digestOf, type PackageFile } from './package-files.js';
import type { Project } from './project.js';
import type { Terminal } from './terminal.js';

/** The file is readable by its owner only. */
const OWNER_ONLY = 0o600;
const FOR_OTHERS = 0o077;

/** Contents of the file with an author's keys. */
interface KeyFile {
  readonly keys: readonly AuthorKey[];
  /** Private key of the last entry: PKCS #8 in PEM. */
  readonly private_key: string;
}

/** The keys of an author: the last one signs, and each earlier one certifies its successor. */
export class AuthorKeys {
  private constructor(
    /** Path of the key file. */
    readonly path: string,
    /** All keys, oldest first; the last one signs. */
    readonly keys: readonly AuthorKey[],
    private readonly privateKey: KeyObject,
  ) {}

  /** Returns the path of an author's key file: `SVC_AUTHOR_KEY`, otherwise a file in the user's configuration directory. */
  static pathFor({ env, folder }: Pick<Terminal, 'env' | 'folder'>): string {
    if (env.SVC_AUTHOR_KEY) return resolve(folder, env.SVC_AUTHOR_KEY);
    const settings = env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(env.HOME || homedir(), '.config');
    return join(settings, 'svc-plugin', 'author-key.json');
  }

  /**
   * Reads the keys of an author; null if none exist.
   *
   * @throws AuthorError if the file cannot be read, is invalid, or is readable by others; if `SVC_AUTHOR_KEY` names a missing file
   */
  static read(terminal: Pick<Terminal, 'env' | 'folder'>): AuthorKeys | null {
    const path = AuthorKeys.pathFor(terminal);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) {
      if (terminal.env.SVC_AUTHOR_KEY) throw new AuthorError(`SVC_AUTHOR_KEY is ${path}, but this file does not exist.`);
      return null;
    }
    if (process.platform !== 'win32' && (found.mode & FOR_OTHERS) !== 0)
      throw new AuthorError(`Other users of this machine can read your key. First run: chmod 600 ${path}`);
    try {
      const { keys, private_key } = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
      const privateKey = createPrivateKey(private_key);
      if (!verifiedKeys(keys) || pemOf(privateKey) !== keys.at(-1)?.public_key) throw new Error('its keys do not match');
      return new AuthorKeys(path, keys, privateKey);
    } catch (error) {
      throw new AuthorError(`${path} is not a valid key file of svc-plugin: ${(error as Error).message}. Restore it from your copy.`);
    }
  }

  /** Creates the first key. @throws AuthorError if a key already exists */
  static create(terminal: Pick<Terminal, 'env' | 'folder'>): AuthorKeys {
    const path = AuthorKeys.pathFor(terminal);
    if (existsSync(path))
      throw new AuthorError(
        `You already have a key: ${path}. Panels recognize your packages by it. To replace it with a new key that it ` +
          'certifies: svc-plugin keys renew',
      );
    return AuthorKeys.keep(path, generateKeyPairSync('ed25519').privateKey, [], null, 'wx');
  }

  /** Creates a new key, certified by the current one; the current private key is discarded. */
  renew(): AuthorKeys {
    return AuthorKeys.keep(this.path, generateKeyPairSync('ed25519').privateKey, this.keys, this.privateKey, 'w');
  }

  /** Id of the key that signs. */
  get keyId(): string {
    return keyIdOf(this.keys.at(-1)!.public_key);
  }

  /** Returns the files of a package, including the author's signature. */
  signed({ type, slug }: Project, files: readonly PackageFile[]): PackageFile[] {
    const others = files.filter(({ path }) => path !== AUTHOR_SIGNATURE_FILE);
    const text = authorText({ type, slug, files: others.map(({ path, content }) => ({ path, sha256: digestOf(content) })) });
    const content = Buffer.from(authorSignatureFile(this.keys, signatureOf(text, this.privateKey)));
    return [...others, { path: AUTHOR_SIGNATURE_FILE, content }];
  }

  private static keep(path: string, key: KeyObject, past: readonly AuthorKey[], before: KeyObject | null, flag: 'w' | 'wx'): AuthorKeys {
    const [public_key, since] = [pemOf(key), new Date().toISOString()];
    const statement = before && authorSuccessionText({ from: keyIdOf(pemOf(before)), to: keyIdOf(public_key), signedAt: since });
    const keys = [...past, { public_key, since, succession: before && statement ? signatureOf(statement, before) : '' }];
    // A package may list at most twenty keys.
    if (!verifiedKeys(keys))
      throw new AuthorError('This key has reached the maximum number of renewals. Create a new key, and tell the users of your packages.');
    const text = JSON.stringify({ keys, private_key: key.export({ type: 'pkcs8', format: 'pem' }).toString() } satisfies KeyFile, null, 2);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const target = flag === 'wx' ? path : `${path}.part`;
    writeFileSync(target, `${text}\n`, { mode: OWNER_ONLY, flag });
    chmodSync(target, OWNER_ONLY);
    if (target !== path) renameSync(target, path);
    return new AuthorKeys(path, keys, key);
  }
}

function pemOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}

function signatureOf(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('base64');
}
