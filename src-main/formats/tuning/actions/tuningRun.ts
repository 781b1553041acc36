import { AppError } from '@shared/contract/errors'
import type { Json } from '@shared/json'
import type { ActionPlan } from '../../edit/action'
import { Draft } from '../../edit/draft'
import type { Values } from '../../edit/offer'
import type { RunFiles } from '../../format'
import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import { at, field, itemsOf, textOf, type Located } from '../../text/located'
import { pathTo } from '../../text/splice'
import { needTitles } from '../needs'
import type { TuningState } from '../state'

export interface TuningRun {
  readonly files: RunFiles
  readonly state: TuningState
  readonly status: string | undefined
  readonly need: RunNeed | undefined
  /** Set while Bridgedeck's own loop carries out an action: ISO 8601. */
  readonly actionStartedAt?: string | undefined
}

export class StateDraft extends Draft {
  readonly #state: TuningState
  readonly #values: Values
  readonly #endsAction: boolean

  constructor({ files, state, actionStartedAt }: TuningRun, values: Values) {
    super(files)
    this.#state = state
    this.#values = values
    this.#endsAction = actionStartedAt !== undefined
  }

  set(path: readonly (string | number)[], value: Json | undefined): void {
    const { file, root, document } = this.#state
    const node = at(root, ...path)
    const parent = at(root, ...path.slice(0, -1))
    const last = path.at(-1)
    if (node) this.json(file, pathTo(document, node), value)
    else if (value !== undefined && last !== undefined)
      this.json(file, [...(parent ? pathTo(document, parent) : path.slice(0, -1)), last], value)
  }

  finish(summary: string, warnings: readonly string[] = [], remember?: ActionPlan['remember']): ActionPlan {
    if (this.changes.length > 0) {
      if (this.#endsAction) this.set(['current_action'], null)
      this.set(['updated_at'], this.#values.time)
    }
    return { summary, changes: this.changes, warnings, ...(remember ? { remember } : {}) }
  }
}

export const needOf = ({ need }: TuningRun, name: keyof typeof needTitles): RunNeed | undefined =>
  need?.title === needTitles[name] ? need : undefined

export const placeOf = ({ state: { document, file } }: TuningRun, node: Located | undefined): ValueSource =>
  node ? document.source(node) : { file }

export const idsOf = (node: Located | undefined): string[] => itemsOf(node).flatMap((item) => textOf(item) ?? [])

export function latestApplied({
  state: { root },
}: TuningRun): { readonly id: string; readonly node: Located; readonly index: number }[] {
  const latest = new Map<string, { id: string; node: Located; index: number }>()
  itemsOf(field(root, 'applied_fixes')).forEach((node, index) => {
    const id = textOf(field(node, 'fix_id'))
    if (id !== undefined) latest.set(id, { id, node, index })
  })
  return [...latest.values()]
}

export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
