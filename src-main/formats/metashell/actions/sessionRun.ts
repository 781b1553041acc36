/** A session and what its actions need to know of it. */
import type { RunFiles } from '../../format'
import type { RunNeed } from '@shared/contract/orchestration'
import type { RunView } from '../../run'
import { listNames } from '@shared/listNames'
import { field, stringOf, type LocatedDocument } from '../../text/located'
import { textsOf, type State, type TaskNode } from '../state'

export interface SessionRun {
  readonly files: RunFiles
  readonly state: State
  readonly session: LocatedDocument
  readonly tasks: readonly TaskNode[]
  readonly byId: ReadonlyMap<string, TaskNode>
  readonly cursor: number | undefined
  readonly status: string | undefined
  readonly view: RunView
  /** Undefined when the run needs nobody. */
  readonly need: RunNeed | undefined
}

/** Where its status stands, or the task where it has none. */
export const taskSource = ({ document, node, status }: TaskNode) =>
  status ? status.document.source(status.node) : document.source(node)
/** As written; undefined when it has none. */
export const statusOf = ({ status }: TaskNode | { readonly status: undefined }): string | undefined =>
  stringOf(status?.node)

/** The first dependency that is not complete. */
export const openDependency = ({ byId }: SessionRun, { dependencies }: TaskNode): string | undefined =>
  dependencies.find(({ id }) => statusOf(byId.get(id) ?? { status: undefined }) !== 'complete')?.id

/** Whether the run waits for a person in this state. */
export const answering = ({ need, view }: SessionRun, kind: RunView['state']['value']) =>
  need !== undefined && view.state.value === kind

/** `Task 01`, or `Tasks 01, 02 and 3 more`. */
export const listTasks = (ids: readonly string[]): string => `${ids.length === 1 ? 'Task' : 'Tasks'} ${listNames(ids)}`

export const commitsOf = ({ node }: TaskNode): string[] => textsOf(field(node, 'commits'))
