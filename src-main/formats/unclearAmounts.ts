/** Limits and uses that cannot be read: taken as 0 or as a default, they would let a run go on. */
import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import { quote } from './finding'
import { unknown } from './run'
import { isNull, numberOf, textOf, type Located, type LocatedDocument } from './text/located'

export interface Unclear {
  readonly text: string
  readonly source: ValueSource
}

/** Missing and null mean no limit, and are left out. */
export function unclearAmounts(
  document: LocatedDocument | undefined,
  amounts: Readonly<Record<string, Located | undefined>>,
): Unclear[] {
  if (!document) return []
  return Object.entries(amounts).flatMap(([name, node]) =>
    !node || isNull(node) || (numberOf(node) ?? -1) >= 0
      ? []
      : [{ text: `${document.file} has no number as ${name}: ${printed(node)}.`, source: document.source(node) }],
  )
}

export const printed = (node: Located): string =>
  node.kind === 'scalar' ? quote(textOf(node) ?? null) : `a ${node.kind}`

export const unclearAmount = ({ text, source }: Unclear): RunNeed => ({
  kind: 'unreadable',
  title: text.replace(/\.$/, ''),
  detail: 'Fix the file in an editor: nobody can tell whether the run may go on.',
  options: [],
  source,
  since: unknown(),
  unblocks: [],
})
