import type { ActionPlan } from '../../edit/action'
import { Draft } from '../../edit/draft'
import type { Values } from '../../edit/offer'
import type { RunFiles } from '../../format'
import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import { booleanOf, field, itemsOf, textOf, type Located, type Scalar } from '../../text/located'
import { pathTo } from '../../text/splice'
import type { PhaseDetails } from '../details'
import { isErrorOpen } from '../needs'
import type { MaestroState, SessionFile } from '../state'

export interface MaestroRun {
  readonly files: RunFiles
  readonly state: MaestroState
  readonly session: SessionFile
  readonly needs: readonly RunNeed[]
  readonly phases: readonly SessionPhase[]
}

export interface SessionPhase {
  readonly node: Located
  readonly details: PhaseDetails
  readonly title: string
  readonly status: string | undefined
  readonly errors: readonly SessionError[]
}

export interface SessionError {
  readonly node: Located
  readonly target: string
  readonly message: string
  readonly open: boolean
}

export function openSession(files: RunFiles, state: MaestroState, needs: readonly RunNeed[]): MaestroRun | undefined {
  const { session } = state
  if (session?.root?.kind !== 'map') return undefined
  const phases = session.phases.flatMap(({ key, node }, index) => {
    const details = state.details.phases[index]
    return details ? [openPhase(key, node, details)] : []
  })
  return { files, state, session, needs, phases }
}

function openPhase(key: string, node: Located, details: PhaseDetails): SessionPhase {
  const status = details.status.value ?? undefined
  const errors = itemsOf(field(node, 'errors')).map((error, index): SessionError => {
    const resolved = booleanOf(field(error, 'resolved')) ?? null
    const resolution = textOf(field(error, 'resolution')) ?? null
    return {
      node: error,
      target: `${key}/${index + 1}`,
      message: textOf(field(error, 'message')) ?? textOf(error) ?? '',
      open: isErrorOpen(status ?? null, resolved, resolution),
    }
  })
  return { node, details, title: details.name.value ?? `Phase ${key}`, status, errors }
}

export class SessionDraft extends Draft {
  readonly #session: SessionFile
  readonly #values: Values

  constructor({ files, session }: MaestroRun, values: Values) {
    super(files)
    this.#session = session
    this.#values = values
  }

  set(parent: Located, name: string, value: Scalar | readonly string[]): void {
    this.front(this.#session.file, [...pathTo(this.#session.document, parent), name], value)
  }

  setIn(parent: Located, path: readonly string[], value: Scalar | readonly string[]): void {
    this.front(this.#session.file, [...pathTo(this.#session.document, parent), ...path], value)
  }

  setTop(name: string, value: Scalar): void {
    this.front(this.#session.file, [name], value)
  }

  finish(summary: string, warnings: readonly string[] = []): ActionPlan {
    this.setTop('updated', this.#values.time)
    return { summary, changes: this.changes, warnings }
  }

  resolve({ node }: SessionError, resolution: string): void {
    if (node.kind !== 'map') return
    this.set(node, 'resolution', resolution)
    this.set(node, 'resolved', true)
  }
}

export const needAt = (run: MaestroRun, kind: RunNeed['kind'], source: ValueSource | null) =>
  run.needs.find(
    (need) =>
      need.kind === kind &&
      source !== null &&
      need.source.file === source.file &&
      need.source.pointer === source.pointer,
  )
export const sourceOf = ({ session: { document, file } }: MaestroRun, node: Located | undefined): ValueSource =>
  node ? document.source(node) : { file }
