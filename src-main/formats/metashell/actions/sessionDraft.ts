import { AppError } from '@shared/contract/errors'
import type { Json } from '@shared/json'
import { Draft } from '../../edit/draft'
import { field, type Located, type LocatedDocument } from '../../text/located'
import { parseLocatedJson } from '../../text/locatedJson'
import { pathTo, type Path } from '../../text/splice'
import { cursorOf, fieldNames, variable, type TaskNode } from '../state'
import type { SessionRun } from './sessionRun'

export class SessionDraft {
  readonly draft: Draft
  readonly #run: SessionRun
  /** As written: the state's documents fold dotted keys, their texts do not. */
  readonly #written = new Map<string, LocatedDocument>()

  constructor(run: SessionRun) {
    this.draft = new Draft(run.files)
    this.#run = run
  }

  setIn(document: LocatedDocument, parent: Located, names: readonly string[], value: Json): void {
    const node = field(parent, ...names)
    if (node) this.set(document, node, value)
    else this.draft.json(document.file, [...this.#pathOf(document, parent), names[0] ?? ''], value)
  }

  set(document: LocatedDocument, node: Located, value: Json | undefined): void {
    this.draft.json(document.file, this.#pathOf(document, node), value)
  }

  setField(node: Located | undefined, names: readonly string[], value: Json, parent: readonly string[] = []): void {
    const { session } = this.#run
    if (node) this.set(session, node, value)
    else this.draft.json(session.file, [...parent, this.#isSnakeCase ? (names.at(-1) ?? '') : (names[0] ?? '')], value)
  }

  setStatus(value: 'planning' | 'executing'): void {
    this.setField(field(this.#run.session.root, 'status'), ['status'], value)
  }

  setCursor(index: number): void {
    const { session } = this.#run
    const inPlan = field(session.root, 'plan')
    this.setField(cursorOf(session.root), fieldNames.currentTaskIdx, index, inPlan ? ['plan'] : [])
  }

  setTask({ status, document, node }: TaskNode, value: 'pending' | 'complete'): void {
    if (status) this.set(status.document, status.node, value)
    else this.setIn(document, node, ['status'], value)
  }

  remember(name: string, values: readonly string[]): void {
    const { session, state } = this.#run
    const list = variable(state, name)
    if (list && list.kind !== 'list')
      throw new AppError('CONFLICT', `variables.${name} of ${session.file} is not a list.`, {
        hint: 'Correct it in an editor.',
      })
    if (!list) this.setVariable(name, [...values])
    else
      values.forEach((value, index) =>
        this.draft.json(session.file, [...this.#pathOf(session, list), list.items.length + index], value),
      )
  }

  setVariable(name: string, value: Json): void {
    const { session } = this.#run
    const node = field(field(session.root, 'variables'), name)
    if (node) this.set(session, node, value)
    else this.draft.json(session.file, ['variables', name], value)
  }

  setInVariable(name: string, key: string, value: Json): void {
    const { session, state } = this.#run
    const parent = variable(state, name)
    if (parent && parent.kind !== 'map')
      throw new AppError('CONFLICT', `variables.${name} of ${session.file} is not a map.`, {
        hint: 'Correct it in an editor.',
      })
    if (parent) this.setIn(session, parent, [key], value)
    else this.setVariable(name, { [key]: value })
  }

  removeVariable(...names: readonly string[]): void {
    const node = variable(this.#run.state, ...names)
    if (node) this.set(this.#run.session, node, undefined)
  }

  #pathOf(document: LocatedDocument, node: Located): Path {
    const written = this.#written.get(document.file) ?? parseLocatedJson(document.text)
    this.#written.set(document.file, written)
    return pathTo(written, node)
  }

  get #isSnakeCase(): boolean {
    return field(this.#run.session.root, 'session_id', 'current_phase', 'gap_count') !== undefined
  }
}
