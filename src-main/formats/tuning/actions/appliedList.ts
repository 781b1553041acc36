import type { Json } from '@shared/json'
import type { Draft } from '../../edit/draft'
import { within } from '../../listing'
import { field, itemsOf, textOf, type Located } from '../../text/located'
import { parseLocatedJson } from '../../text/locatedJson'
import type { StateText } from '../../text/stateFile'
import type { TuningRun } from './tuningRun'

export const appliedList = 'fixes/applied-fixes.json'

const pathOf = ({ files }: TuningRun): string => within(files.candidate.marker, appliedList)

function listIn(text: StateText): { readonly path: readonly string[]; readonly items: readonly Located[] } | undefined {
  const { root } = parseLocatedJson(text)
  if (root?.kind === 'list') return { path: [], items: root.items }
  const list = field(root, 'applied_fixes')
  return list?.kind === 'list' ? { path: ['applied_fixes'], items: list.items } : undefined
}

export function appendApplied(run: TuningRun, draft: Draft, entry: Json): string[] {
  const file = pathOf(run)
  if (!draft.has(file)) {
    draft.write(file, `${JSON.stringify([entry], undefined, 2)}\n`)
    return []
  }
  const list = listIn(draft.text(file))
  if (!list) return [`${file} is not a list of fixes, so it stays unchanged.`]
  draft.json(file, [...list.path, list.items.length], entry)
  return []
}

export function changesMade(run: TuningRun, draft: Draft, id: string): readonly Located[] {
  const file = pathOf(run)
  const list = draft.has(file) ? listIn(draft.text(file)) : undefined
  const last = list?.items.findLast((item) => textOf(field(item, 'fix_id')) === id)
  return itemsOf(field(last, 'changes_made'))
}

export function updateApplied(run: TuningRun, draft: Draft, id: string, values: Readonly<Record<string, Json>>): void {
  const file = pathOf(run)
  const list = draft.has(file) ? listIn(draft.text(file)) : undefined
  const index = list?.items.findLastIndex((item) => textOf(field(item, 'fix_id')) === id) ?? -1
  if (!list || index < 0) return
  for (const [name, value] of Object.entries(values)) draft.json(file, [...list.path, index, name], value)
}
