import { defineList, type ListRow } from '../../web/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';

/** File name suffixes that are not offered for editing. */
const NO_TEXT =
  /\.(?:7z|avif|bin|bmp|bz2|db|docx?|eot|exe|gif|gz|ico|iso|jpe?g|mkv|mov|mp[34]|ogg|otf|pdf|png|pptx?|psd|rar|sqlite|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xz|zip)$/i;
const ARCHIVE = /\.(?:zip|tgz|tar\.gz)$/i;
/** Largest file offered for editing, in bytes. */
const MAX_EDITED_BYTES = 2 * 1024 * 1024;

const isFolder = (row: ListRow): boolean => row.type === 'dir';
const isFile = (row: ListRow): boolean => row.type === 'file';
const isText = (row: ListRow): boolean => isFile(row) && Number(row.size) <= MAX_EDITED_BYTES && !NO_TEXT.test(String(row.name));
const host = (row: ListRow): Record<string, string> => (row.host ? { id: String(row.host) } : {});

/** Returns the URL of a file page; on the admin side with its host. */
export function filesPath(side: Scope, page: string, path: string, hostId: string): string {
  return `/${side}/${page}?${new URLSearchParams({ ...(hostId ? { id: hostId } : {}), path }).toString()}`;
}

const leadsTo = (side: Scope, page: string) => (row: ListRow) => filesPath(side, page, String(row.id), String(row.host ?? ''));

/** The files of a folder. */
export const filesOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'files',
    operation: 'listfile',
    given: side === 'admin' ? ['id', 'path'] : ['path'],
    sort: 'name',
    keyword: 'ss',
    empty: 'files.empty',
    columns: [
      {
        field: 'name',
        title: 'files.name',
        kind: 'named',
        sortable: true,
        icon: (row) => (isFolder(row) ? 'mdi-folder' : isFile(row) ? 'mdi-file-outline' : 'mdi-link-variant'),
        href: (row) => (isFolder(row) ? leadsTo(side, 'files')(row) : isText(row) ? leadsTo(side, 'file-edit')(row) : ''),
      },
      { field: 'dx', title: 'files.size', sortable: true, whole: true },
      { field: 'date', title: 'files.changed', sortable: true, kind: 'moment' },
    ],
    actions: [
      { label: 'files.edit', when: isText, href: leadsTo(side, 'file-edit') },
      {
        label: 'files.download',
        when: isFile,
        operation: 'wjxz',
        fields: (row) => ({ ...host(row), path: String(row.id) }),
        opens: 'url',
        then: 'nothing',
      },
      { label: 'files.rename', dialog: 'rename-file', operation: 'setname', fills: ['folder', 'base'] },
      {
        label: 'files.unpack',
        when: (row) => isFile(row) && ARCHIVE.test(String(row.name)),
        dialog: 'unpack-file',
        operation: 'ftpjy',
        fills: ['id', 'name', 'folder'],
      },
      {
        label: 'files.delete',
        tone: 'danger',
        operation: 'ftpscxz',
        fields: (row) => ({ ...host(row), idsz: JSON.stringify([row.id]) }),
        confirm: 'files.delete_confirm',
      },
    ],
    bulk: [
      { label: 'files.copy', operation: 'filecp', field: 'yfile', confirm: 'files.chosen', dialog: 'copy-files' },
      { label: 'files.move', operation: 'filecp', field: 'yfile', confirm: 'files.chosen', dialog: 'move-files' },
      { label: 'files.pack', operation: 'fileys', field: 'file', confirm: 'files.chosen', dialog: 'pack-files' },
      { label: 'files.delete', operation: 'ftpscxz', field: 'idsz', confirm: 'files.delete_many', dialog: 'delete-files', tone: 'danger' },
    ],
  });

/** The trash of a site. */
export const trashOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'file-trash',
    operation: 'filetrash',
    given: side === 'admin' ? ['id'] : [],
    empty: 'files.trash_empty',
    columns: [
      { field: 'path', title: 'files.path' },
      { field: 'dx', title: 'files.size', whole: true },
      { field: 'date', title: 'files.deleted', kind: 'moment' },
      { field: 'gone', title: 'files.gone', kind: 'moment' },
    ],
    actions: [
      {
        label: 'files.restore',
        tone: 'primary',
        operation: 'filetrash_restore',
        fields: (row) => ({ ...host(row), idsz: String(row.id) }),
      },
      {
        label: 'files.purge',
        tone: 'danger',
        operation: 'filetrash_del',
        fields: (row) => ({ ...host(row), idsz: String(row.id) }),
        confirm: 'files.purge_confirm',
      },
    ],
  });
