/** Lines of context around a change. */
const CONTEXT = 3;
/** Maximum cells of the LCS table; larger changes are shown as a complete replacement. */
const MAX_CELLS = 2_000_000;

interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/**
 * Formats a diff for reviewers: changed lines with `-` and `+`, three lines of context, `@@` where lines are omitted. Not suitable for
 * `patch`. Written here because libraries are ten times larger and unbounded in time.
 */
export function lineDiff(before: string, after: string): string {
  const edits = compare(before.split('\n'), after.split('\n'));
  const isNear = new Uint8Array(edits.length);
  edits.forEach(({ mark }, i) => {
    if (mark !== ' ') isNear.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  });
  const lines: string[] = [];
  let [oldLine, newLine, isOpen] = [1, 1, false];
  edits.forEach(({ mark, line }, i) => {
    if (isNear[i] === 1) {
      if (!isOpen) lines.push(`@@ -${oldLine} +${newLine} @@`);
      lines.push(mark + line);
    }
    isOpen = isNear[i] === 1;
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
  });
  return lines.join('\n');
}

function compare(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end])
    end += 1;
  const same = (line: string): Edit => ({ mark: ' ', line });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Longest common subsequence table, walked from its start. */
function middle(before: readonly string[], after: readonly string[]): Edit[] {
  const removed = (line: string): Edit => ({ mark: '-', line });
  const added = (line: string): Edit => ({ mark: '+', line });
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return [...before.map(removed), ...after.map(added)];
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      edits.push({ mark: ' ', line: before[i]! });
      i += 1;
      j += 1;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) {
      edits.push(removed(before[i]!));
      i += 1;
    } else {
      edits.push(added(after[j]!));
      j += 1;
    }
  }
  return [...edits, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}
