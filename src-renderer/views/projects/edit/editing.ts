import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { EditRequest, EditValues, OfferedAction, Preview, WriteResult } from '@shared/contract/edits'
import type { RunNeed } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { showView } from '../../../client/navigation'
import { attempt, notify, warn, type MessageLink } from '../../../client/messages'
import { visibleText } from '../../../widgets/visibleText'
import { placeOf, showSource, useProjects } from '../store'
import { focusInbox } from '../inbox/keys'
import { dayAndTime } from '../../../widgets/times'
import { runTitle } from '../labels'
import { latestEdit, latestUndo } from './latestEdit'
import { readEdits } from './nameEdits'
import { takeBackLabel } from './takeBackLabel'
import { mustBeSeen, writtenPlaces } from './previewed'
import { beginUndoOffer, endUndoOffer } from './undoOffer'

interface OfRun {
  readonly project: number
  readonly run: string
}

type Conflict = Extract<WriteResult, { outcome: 'conflict' }>

export type Editing = OfRun &
  (
    | {
        readonly step: 'choose'
        readonly title: string
        readonly actions: readonly OfferedAction[]
        readonly more: number
      }
    | { readonly step: 'form'; readonly action: OfferedAction; readonly values?: EditValues }
    | {
        readonly step: 'preview'
        readonly request: EditRequest
        readonly preview: Preview
        readonly action: OfferedAction | null
        readonly isInInbox: boolean
      }
    | {
        readonly step: 'conflict'
        readonly request: EditRequest
        readonly seen: Preview
        readonly conflict: Conflict
        readonly action: OfferedAction | null
        readonly isInInbox: boolean
      }
  )

export const useEditing = create<{ readonly editing: Editing | null }>(() => ({ editing: null }))

let before: Element | null = null

export function show(editing: Editing | null): void {
  if (useEditing.getState().editing === null) before = document.activeElement
  useEditing.setState({ editing })
}

export function focusBefore(): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  else focusInbox()
}

const actionsOf = (of: OfRun, target: string | null) => call('projects.actions', { ...of, target })

function offer(of: OfRun, title: string, actions: readonly OfferedAction[], more = 0): void {
  const [first, ...others] = actions
  if (first === undefined) notify(`${visibleText(title)}: no action is available now.`)
  else if (others.length === 0) openAction(of, first)
  else show({ ...of, step: 'choose', title, actions, more })
}

export function openAction(of: OfRun, action: OfferedAction): void {
  if (action.fields.length > 0) show({ ...of, step: 'form', action })
  else attempt(() => openPreview(of, { kind: 'action', name: action.name, target: action.target, values: {} }, action))
}

export async function openPreview(
  { project, run }: OfRun,
  request: EditRequest,
  action: OfferedAction | null,
  isInInbox = false,
): Promise<void> {
  const preview = await call('projects.preview', { project, run, request })
  show({ project, run, step: 'preview', request, preview, action, isInInbox })
}

export function act(of: OfRun, title: string, target: string | null): void {
  attempt(async () => {
    const { actions, more } = await actionsOf(of, target)
    offer(of, title, actions, more)
  })
}

export function answerNeed(of: OfRun, need: RunNeed): void {
  attempt(async () => {
    const { actions } = await actionsOf(of, null)
    offer(of, need.title, answersTo(need, actions))
  })
}

export function answersTo({ source: place }: RunNeed, actions: readonly OfferedAction[]): readonly OfferedAction[] {
  const inFile = actions.filter(({ answersNeed, source }) => answersNeed && source.file === place.file)
  const there = inFile.filter(({ source }) => source.line === place.line && source.pointer === place.pointer)
  return there.length > 0 ? there : inFile
}

/** Writes at once, or shows the change first where {@link mustBeSeen} says so. */
export async function writeAnswer(
  { project, run }: OfRun,
  request: EditRequest,
  action: OfferedAction,
  isInInbox: boolean,
): Promise<void> {
  const preview = await call('projects.preview', { project, run, request })
  const step = { project, run, step: 'preview', request, preview, action, isInInbox } as const
  if (mustBeSeen(preview)) show(step)
  else await write(step)
}

export function needOf(needs: readonly RunNeed[], { answersNeed, source }: OfferedAction): RunNeed | undefined {
  if (!answersNeed) return undefined
  const inFile = needs.filter((need) => need.source.file === source.file)
  return inFile.find((need) => need.source.line === source.line && need.source.pointer === source.pointer) ?? inFile[0]
}

export function actOnChosen(): void {
  const { choice, runs } = useProjects.getState()
  if (!choice || choice.run === null) {
    void showView('projects')
    notify('Choose a run first.')
    return
  }
  const chosen = runs.get(placeOf(choice.project, choice.run))
  act({ project: choice.project, run: choice.run }, chosen ? runTitle(chosen.run) : 'The run', null)
}

export const undoLastEdit = (): Promise<void> => takeBack(latestEdit, 'No edit to undo in the open projects.')
export const redoLastEdit = (): Promise<void> => takeBack(latestUndo, 'No edit to redo in the open projects.')

async function takeBack(find: typeof latestEdit, none: string): Promise<void> {
  const last = find(await readEdits())
  if (!last) notify(none)
  else await undo({ project: last.project, run: last.run }, last.edit)
}

export async function undo(of: OfRun, edit: number): Promise<void> {
  const result = await call('projects.undo', { project: of.project, edit })
  if (result.outcome === 'written') endUndoOffer({ project: of.project, edit })
  if (result.outcome === 'git')
    show({
      ...of,
      step: 'preview',
      request: { kind: 'undo', edit },
      preview: result.preview,
      action: null,
      isInInbox: false,
    })
  else notifyResult(of, result)
}

export async function write(editing: Extract<Editing, { step: 'preview' | 'conflict' }>): Promise<void> {
  const { project, run, request, action, isInInbox } = editing
  const preview = editing.step === 'preview' ? editing.preview : editing.conflict.preview
  if (!preview) return
  const agreed = { project, run, request, token: preview.token }
  // A native dialog asks first where git does a part of the change.
  const result = preview.git === null ? await call('projects.write', agreed) : await call('projects.rollBack', agreed)
  if (result.outcome === 'conflict')
    show({ project, run, step: 'conflict', request, seen: preview, conflict: result, action, isInInbox })
  else {
    show(null)
    notifyResult({ project, run }, result, preview)
  }
}

function notifyResult(of: OfRun, result: WriteResult, preview?: Preview): void {
  switch (result.outcome) {
    case 'written': {
      const { edit, summary } = result
      const about = beginUndoOffer({ ...of, edit })
      notify(
        `${visibleText(summary)}.`,
        preview === undefined ? null : writtenPlaces(preview, summary),
        { label: takeBackLabel(summary), run: () => attempt(() => undo(of, edit)) },
        about,
        preview === undefined ? [] : fileLinks(of.project, preview.files),
      )
      break
    }
    case 'nothing':
      notify('The files already said this: nothing was written.')
      break
    case 'conflict':
      warn('Nothing was undone: the files were changed in the meantime.', visibleText(result.reason), null)
  }
}

const fileLinks = (project: number, files: readonly { readonly file: string }[]): MessageLink[] =>
  files.map(({ file }) => ({
    text: visibleText(file),
    open: () =>
      attempt(async () => {
        await showView('projects')
        showSource(project, { file, line: 1 })
      }),
  }))

export function warnOverwritten({
  project,
  run,
  edit,
  summary,
  file,
  at,
  by,
  kind,
}: Payload<'projects.overwritten'>): void {
  const time = dayAndTime(at)
  const links = fileLinks(project, [{ file }])
  const who = by === null ? 'another program' : visibleText(by)
  if (kind === 'raced') {
    warn(
      `${visibleText(summary)}: ${who} replaced ${visibleText(file)} at the same moment, ${time}.`,
      'Your edit is in the file; the other one is lost. Have the agent read the file again.',
      null,
      links,
    )
    return
  }
  warn(
    `“${visibleText(summary)}” was overwritten at ${time} by ${who}.`,
    `${visibleText(file)} is back to its earlier text.`,
    {
      label: 'Write again…',
      run: () =>
        attempt(async () => {
          const { edits } = await call('projects.edits', { project, run })
          const again = edits.find((other) => other.edit === edit)
          if (!again) throw new AppError('NOT_FOUND', 'This edit is no longer in the list.')
          await openPreview({ project, run }, again.request, null)
        }),
    },
    links,
  )
}
