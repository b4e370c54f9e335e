/**
 * Error texts of agents. Reports and rows contain the text itself; the panel recognizes it by this table and translates it (`problem_…` in
 * its language files). Agents of every version send these texts and rows keep them, so a line must never change: a new wording is a new
 * line. Placeholders match any text, `{n}` matches digits.
 */
export const TASK_PROBLEMS = {
  scans_only: '该服务器的节点程序只允许扫描（hosting）',
  given_up: '节点程序在执行任务时中断 {n} 次，任务已放弃',
  scans_off: '该节点的配置未启用违禁词扫描（capabilities）',
  quarantine_off: '该节点的配置未启用文件隔离（quarantine）',
  kind_unknown: '不支持的任务类型：{kind}',
  scan_failed: '扫描失败：{reason}',
  task_failed: '任务失败：{reason}',
  words_missing: '没有可用的违禁词：请填写 1 到 {n} 个字符的词',
  root_missing: '请填写扫描目录',
  root_form: '扫描目录无效：{path}',
  root_relative: '扫描目录必须是绝对路径：{path}',
  root_upwards: '扫描目录不能包含 ..：{path}',
  root_no_folder: '扫描目录不是文件夹：{path}',
  root_gone: '扫描目录不存在：{path}',
  root_unreadable: '扫描目录无法读取（{code}）：{path}',
  root_disk: '不能扫描整个磁盘：{path}',
  root_system: '不能扫描系统目录：{path}',
  root_outside: '扫描目录不在允许的范围内：{path}（节点配置 sites_root：{sites}）',
  path_none: '文件路径无效',
  path_form: '文件路径无效：{path}',
  path_outside: '文件不在允许的范围内：{path}（sites_root：{sites}）',
  path_link: '路径中有符号链接，拒绝操作：{path}',
  folder_gone: '文件夹不存在：{path}',
  folder_unreadable: '文件夹无法打开（{code}）：{path}',
  file_gone: '文件已不存在',
  file_unreadable: '文件无法读取（{code}）',
  file_link: '文件是符号链接，拒绝隔离',
  file_special: '不是普通文件，拒绝隔离',
  file_large: '文件超过 64 MB，无法隔离',
  file_changed: '文件在隔离过程中被修改，已保留原处，请重试',
  file_moving: '该文件正在隔离中',
  file_not_held: '隔离区中没有该文件',
  file_damaged: '隔离的文件已损坏，未恢复',
  file_replaced: '原位置已有其他文件，未覆盖',
  quarantine_id: '隔离编号无效',
} as const;

/** One of {@link TASK_PROBLEMS}. */
export type TaskProblem = keyof typeof TASK_PROBLEMS;

/** Names of the placeholders of a text. */
type Places<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

/** Parameters of a problem's placeholders; none if it has none. */
export type ProblemParams<Problem extends TaskProblem, Name extends string = Places<(typeof TASK_PROBLEMS)[Problem]>> = [Name] extends [
  never,
]
  ? []
  : [params: Readonly<Record<Name, string | number>>];

/** Returns the text of a problem with its placeholders filled. */
export function problemText<Problem extends TaskProblem>(problem: Problem, ...[params]: ProblemParams<Problem>): string {
  const values: Readonly<Record<string, string | number>> = params ?? {};
  return TASK_PROBLEMS[problem].replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values[name]));
}
