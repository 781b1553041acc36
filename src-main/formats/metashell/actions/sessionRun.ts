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
  readonly need: RunNeed | undefined
}

export const taskSource = ({ document, node, status }: TaskNode) =>
  status ? status.document.source(status.node) : document.source(node)
export const statusOf = ({ status }: TaskNode | { readonly status: undefined }): string | undefined =>
  stringOf(status?.node)

export const openDependency = ({ byId }: SessionRun, { dependencies }: TaskNode): string | undefined =>
  dependencies.find(({ id }) => statusOf(byId.get(id) ?? { status: undefined }) !== 'complete')?.id

export const answering = ({ need, view }: SessionRun, kind: RunView['state']['value']) =>
  need !== undefined && view.state.value === kind

export const listTasks = (ids: readonly string[]): string => `${ids.length === 1 ? 'Task' : 'Tasks'} ${listNames(ids)}`

export const commitsOf = ({ node }: TaskNode): string[] => textsOf(field(node, 'commits'))
