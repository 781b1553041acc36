/** What a person does with a Maestro session: changes of its front matter in the syntax that it has, and the moves of an archive. */
import { AppError } from '@shared/contract/errors'
import { fewOf } from '@shared/fewOf'
import type { Action, ActionField, ActionPlan, ActionRequest } from '../edit/action'
import { Draft } from '../edit/draft'
import { quote } from '../finding'
import type { RunFiles } from '../format'
import { nameOf, parentOf, within } from '../listing'
import {
  booleanOf,
  field,
  isNull,
  itemsOf,
  stringOf,
  textOf,
  type Located,
  type LocatedDocument,
  type Scalar,
} from '../text/located'
import { listed, planOffer, sorted, type Offer, type Offers, type Refusal, type Values } from '../edit/offer'
import type { Need, Source } from '../run'
import { pathTo } from '../text/splice'
import type { PhaseDetails } from './details'
import { activeSession, gateFiles } from './files'
import { read } from './read'
import { executionModes, SESSION_ID } from './schema'
import { idOf, openRun, type MaestroState, type SessionFile } from './state'

export const actions = (files: RunFiles): Action[] => listed(offersFor(files))
export const plan = (files: RunFiles, request: ActionRequest): ActionPlan => planOffer(offersFor(files), request)

interface Run {
  readonly files: RunFiles
  readonly state: MaestroState
  readonly session: SessionFile
  readonly needs: readonly Need[]
  readonly phases: readonly Phase[]
}

interface Phase {
  readonly node: Located
  readonly details: PhaseDetails
  readonly title: string
  readonly status: string | undefined
  readonly errors: readonly PhaseError[]
}

interface PhaseError {
  readonly node: Located
  /** `2/1`: of the phase with this key, from 1. */
  readonly target: string
  readonly message: string
  readonly open: boolean
}

function offersFor(files: RunFiles): Offers {
  const state = openRun(files)
  if (files.candidate.archived) return { offers: [], refusals: [] }
  const needs = read(files)?.view.needs ?? []
  const gates = state.gates.flatMap((gate) => approve(files, state, gate, needs))
  const { session } = state
  if (session?.root?.kind !== 'map') return sorted(gates)
  const phases = session.phases.flatMap(({ key, node }, index) => {
    const details = state.details.phases[index]
    return details ? [openPhase(key, node, details)] : []
  })
  const run: Run = { files, state, session, needs, phases }
  const status = textOf(field(session.root, 'status'))
  const entries =
    status === 'in_progress'
      ? [
          ...chooseMode(run),
          ...phases.flatMap((phase) => [
            ...retry(run, phase),
            ...skip(run, phase),
            ...reconcile(run, phase),
            ...phase.errors.flatMap((error) => resolve(run, phase, error)),
          ]),
          ...archive(run),
          ...abort(run),
        ]
      : archive(run)
  return sorted([...gates, ...entries])
}

function openPhase(key: string, node: Located, details: PhaseDetails): Phase {
  const status = details.status.value ?? undefined
  const errors = itemsOf(field(node, 'errors')).map((error, index): PhaseError => {
    const resolved = booleanOf(field(error, 'resolved'))
    const open =
      status === 'failed'
        ? resolved !== true
        : resolved === false || (resolved === undefined && textOf(field(error, 'resolution')) === 'pending')
    return {
      node: error,
      target: `${key}/${index + 1}`,
      message: textOf(field(error, 'message')) ?? textOf(error) ?? '',
      open,
    }
  })
  return { node, details, title: details.name.value ?? `Phase ${key}`, status, errors }
}

/** Changes of the session's front matter; each plan sets the time of the session as well. */
class SessionDraft extends Draft {
  readonly #session: SessionFile
  readonly #values: Values

  constructor({ files, session }: Run, values: Values) {
    super(files)
    this.#session = session
    this.#values = values
  }

  /** A field of a map of the session. */
  set(parent: Located, name: string, value: Scalar | readonly string[]): void {
    this.front(this.#session.file, [...pathTo(this.#session.document, parent), name], value)
  }

  setTop(name: string, value: Scalar): void {
    this.front(this.#session.file, [name], value)
  }

  finish(summary: string, warnings: readonly string[] = []): ActionPlan {
    this.setTop('updated', this.#values.time)
    return { summary, changes: this.changes, warnings }
  }

  /** The person's word on an error; one that is a sentence alone has no place for it. */
  resolve({ node }: PhaseError, resolution: string): void {
    if (node.kind !== 'map') return
    this.set(node, 'resolution', resolution)
    this.set(node, 'resolved', true)
  }
}

const needAt = (run: Run, kind: Need['kind'], source: Source | null) =>
  run.needs.find(
    (need) =>
      need.kind === kind &&
      source !== null &&
      need.source.file === source.file &&
      need.source.pointer === source.pointer,
  )
const sourceOf = ({ session: { document, file } }: Run, node: Located | undefined): Source =>
  node ? document.source(node) : { file }

function chooseMode(run: Run): Offer[] {
  const need = run.needs.find(({ kind, title }) => kind === 'gate' && title === 'Choose how the phases are executed')
  const node = field(run.session.root, 'execution_mode')
  if (!need && (node === undefined || !isNull(node))) return []
  return [
    {
      name: 'choose-mode',
      target: '',
      title: 'Choose how the phases are executed',
      effect: 'Phases that do not wait for each other are executed side by side, or each after the other.',
      fields: [
        {
          name: 'mode',
          label: 'The phases are executed',
          kind: 'choice',
          value: null,
          options: executionModes.map((mode) => ({
            value: mode,
            label: mode === 'parallel' ? 'Side by side (parallel)' : 'One after the other (sequential)',
          })),
        },
      ],
      source: need?.source ?? sourceOf(run, node),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.setTop('execution_mode', values.text('mode') ?? null)
        return draft.finish(
          `Chose to execute the phases in ${values.text('mode') === 'parallel' ? 'parallel' : 'sequence'}`,
        )
      },
    },
  ]
}

/** Keys of the phases that a phase waits for and that are not done. */
const waitsFor = ({ phases }: Run, { details }: Phase): string[] =>
  details.blockedBy.flatMap(({ value }) => {
    const other = phases.find((phase) => phase.details.key === value)
    return value === null || other?.status === 'completed' || other?.status === 'skipped' ? [] : [value]
  })

const dependents = ({ phases }: Run, { details: { key } }: Phase): string[] =>
  phases.filter(({ details }) => details.blockedBy.some(({ value }) => value === key)).map(({ title }) => `“${title}”`)

function retry(run: Run, phase: Phase): (Offer | Refusal)[] {
  const { details, title, node } = phase
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'retry', target: details.key, because, hint }]
  if (phase.status !== 'failed')
    return refuse(
      `The phase “${title}” is ${phase.status ?? 'of no known status'}.`,
      'Only a failed phase is tried again.',
    )
  const [waits] = waitsFor(run, phase)
  if (waits !== undefined)
    return refuse(`The phase “${title}” waits for phase ${waits}, which is not completed.`, 'Try that one again first.')
  const open = phase.errors.filter((error) => error.open)
  const retries = details.retries.value ?? 0
  const fields: ActionField[] =
    open.length === 0
      ? []
      : [
          {
            name: 'resolution',
            label: 'What was done about it',
            kind: 'line',
            value: 'Tried again by the person',
            help: open.map(({ message }) => message).join('\n'),
          },
        ]
  return [
    {
      name: 'retry',
      target: details.key,
      title: `Retry the phase “${title}”`,
      effect: 'The phase is in progress again, with one retry more; its open errors are resolved with what you write.',
      fields,
      source: details.status.source ?? sourceOf(run, node),
      answersNeed: needAt(run, 'failure', details.status.source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.set(node, 'status', 'in_progress')
        draft.set(node, 'retry_count', retries + 1)
        const id = field(node, 'id')
        if (id?.kind === 'scalar') draft.setTop('current_phase', id.value)
        for (const error of open) draft.resolve(error, values.text('resolution') ?? '')
        const most = run.state.maxRetries.value
        return draft.finish(`Retried the phase “${title}”`, [
          ...(most !== null && retries >= most ? [`All ${most} retries were used up: this is one more.`] : []),
          ...(phase.details.files.modified.length + phase.details.files.created.length > 0
            ? ['What the failed attempt changed is still there: look at it with git.']
            : []),
        ])
      },
    },
  ]
}

/** A failed phase may be skipped by the person alone, who says why. */
function skip(run: Run, phase: Phase): (Offer | Refusal)[] {
  const { details, title, node, status } = phase
  if (status !== 'pending' && status !== 'failed') {
    return [
      {
        name: 'skip',
        target: details.key,
        because: `The phase “${title}” is ${status ?? 'of no known status'}.`,
        hint: 'Only a pending or failed phase is skipped.',
      },
    ]
  }
  const failed = status === 'failed'
  return [
    {
      name: 'skip',
      target: details.key,
      title: `Skip the phase “${title}”`,
      effect: failed
        ? 'The phase counts as skipped instead of failed, and its open errors say that you skipped it and why.'
        : 'The phase counts as skipped and is not executed.',
      fields: failed ? [{ name: 'reason', label: 'Why', kind: 'line', value: '' }] : [],
      source: details.status.source ?? sourceOf(run, node),
      answersNeed: failed && needAt(run, 'failure', details.status.source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.set(node, 'status', 'skipped')
        if (failed)
          for (const error of phase.errors.filter(({ open }) => open))
            draft.resolve(error, `skipped by operator: ${values.text('reason') ?? ''}`)
        const waiting = dependents(run, phase)
        return draft.finish(`Skipped the phase “${title}”`, [
          ...(waiting.length === 0
            ? []
            : [
                `${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'} for it: Maestro asks for a completed phase there, so skip or unblock ${waiting.length === 1 ? 'it' : 'them'} as well.`,
              ]),
          ...(failed ? ['The specification knows no step from failed to skipped: this is your override.'] : []),
        ])
      },
    },
  ]
}

function resolve(run: Run, phase: Phase, error: PhaseError): (Offer | Refusal)[] {
  if (!error.open)
    return [
      {
        name: 'resolve',
        target: error.target,
        because: 'The error is resolved already.',
        hint: 'Change what is written of it in an editor.',
      },
    ]
  if (error.node.kind !== 'map')
    return [
      {
        name: 'resolve',
        target: error.target,
        because: 'The error is a sentence alone, with no place for what was done about it.',
        hint: 'Change it in an editor.',
      },
    ]
  const last = phase.errors.findLast(({ open }) => open) === error
  const resolved = field(error.node, 'resolved')
  const need =
    phase.status === 'failed' || !last
      ? undefined
      : needAt(run, 'failure', resolved ? run.session.document.source(resolved) : phase.details.status.source)
  return [
    {
      name: 'resolve',
      target: error.target,
      title: `Resolve the error “${error.message.slice(0, 120)}”`,
      effect: 'The error is resolved, with what you write beside it; the status of the phase stays.',
      fields: [{ name: 'resolution', label: 'What was done about it', kind: 'line', value: '' }],
      source: need?.source ?? run.session.document.source(error.node),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.resolve(error, values.text('resolution') ?? '')
        return draft.finish(`Resolved an error of “${phase.title}”`)
      },
    },
  ]
}

const fileLists = ['created', 'modified', 'deleted'] as const

/** Since version 1.6.3: which files a phase changed is told by the person where its agent did not tell. */
function reconcile(run: Run, phase: Phase): Offer[] {
  const { details, title, node } = phase
  if (details.requiresReconciliation.value !== true) return []
  const listOf = (kind: (typeof fileLists)[number]) => details.files[kind].flatMap(({ value }) => value ?? [])
  const source = details.requiresReconciliation.source ?? sourceOf(run, node)
  return [
    {
      name: 'reconcile',
      target: details.key,
      title: `Say which files the phase “${title}” changed`,
      effect: 'The lists of its files are as you write them, and the phase needs no reconciliation any more.',
      fields: fileLists.map((kind) => ({
        name: kind,
        label: `Files ${kind}`,
        kind: 'text',
        value: listOf(kind).join('\n'),
        help: 'A path of the project in each line.',
        optional: true,
      })),
      source,
      answersNeed: needAt(run, 'question', source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        for (const kind of fileLists) {
          const paths = (values.text(kind) ?? '')
            .split(/\r?\n/)
            .map((path) => path.trim())
            .filter((path) => path !== '')
          const before = listOf(kind)
          if (paths.length !== before.length || paths.some((path, index) => path !== before[index]))
            draft.set(node, `files_${kind}`, paths)
        }
        draft.set(node, 'requires_reconciliation', false)
        return draft.finish(`Said which files the phase “${title}” changed`)
      },
    },
  ]
}

function abort(run: Run): Offer[] {
  return [
    {
      name: 'abort',
      target: '',
      title: 'Abort the session',
      effect: 'The session counts as failed and is not resumed; its phases and files stay as they are.',
      fields: [],
      source: sourceOf(run, field(run.session.root, 'status')),
      answersNeed: false,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.setTop('status', 'failed')
        const active = run.phases.filter(({ status }) => status === 'in_progress').map(({ title }) => `“${title}”`)
        return draft.finish(
          'Aborted the session',
          active.length === 0
            ? []
            : [`${active.join(', ')} ${active.length === 1 ? 'is' : 'are'} in progress: stop the agents yourself.`],
        )
      },
    },
  ]
}

/** Design and plan into `plans/archive`, the session as completed into `state/archive` under its id. */
function archive(run: Run): (Offer | Refusal)[] {
  const { files, state, session, phases } = run
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'archive', target: '', because, hint }]
  const id = idOf(files, session).value ?? ''
  if (!SESSION_ID.test(id))
    return refuse(
      `${quote(id)} is no id that an archive can be named after.`,
      'Put session_id right in an editor: letters, digits, _ and -.',
    )
  if (session.file !== activeSession(state.stateDir))
    return refuse(`${session.file} is not the active session.`, 'Only that is archived.')
  const unclear = phases.find(({ details }) => details.requiresReconciliation.value === true)
  if (unclear)
    return refuse(`Which files the phase “${unclear.title}” changed is not clear.`, 'Say which they are first.')
  const need = run.needs.find(({ kind }) => kind === 'approval')
  return [
    {
      name: 'archive',
      target: '',
      title: 'Archive the session',
      effect: 'The session is set to completed and moved to the archive, with its design and its plan.',
      fields: [],
      source: need?.source ?? sourceOf(run, field(session.root, 'status')),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        const warnings: string[] = []
        const move = (from: string, to: string): void => {
          if (draft.has(to))
            throw new AppError('CONFLICT', `${to} is there already.`, {
              hint: 'Rename or remove it first: an archive is never overwritten.',
            })
          draft.write(to, draft.text(from).text)
          draft.write(from, null)
        }
        const plans = within(state.stateDir, 'plans')
        for (const { path, named } of state.details.plans) {
          if (path !== null && parentOf(path) === plans) move(path, within(plans, `archive/${nameOf(path)}`))
          else if (path === null) warnings.push(`${named.value ?? 'A plan'} is not there to be archived.`)
          else if (parentOf(path) !== within(plans, 'archive'))
            warnings.push(`${path} is outside ${plans} and stays where it is.`)
        }
        draft.setTop('status', 'completed')
        draft.setTop('updated', values.time)
        move(session.file, within(state.stateDir, `state/archive/${id}.md`))
        const gate = gateFiles(files.listing, state.stateDir).find((file) => nameOf(file) === `${id}.design-gate.json`)
        if (gate !== undefined) draft.write(gate, null)
        const unfinished = phases
          .filter(({ status }) => status !== 'completed' && status !== 'skipped')
          .map(({ title }) => `“${title}”`)
        const errors = phases.flatMap((phase) => phase.errors.filter(({ open }) => open)).length
        return {
          summary: `Archived the session ${id}`,
          changes: draft.changes,
          warnings: [
            ...(unfinished.length === 0
              ? []
              : [
                  `The archive says completed, although ${fewOf(unfinished)} ${unfinished.length === 1 ? 'is' : 'are'} not done.`,
                ]),
            ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'error is' : 'errors are'} not resolved.`]),
            ...warnings,
          ],
        }
      },
    },
  ]
}

/** Since version 1.6.3: a design that was shown waits for its approval in a file of its own. */
function approve(
  files: RunFiles,
  { details }: MaestroState,
  gate: LocatedDocument,
  needs: readonly Need[],
): (Offer | Refusal)[] {
  const { root } = gate
  const approved = field(root, 'approved_at')
  const entered = field(root, 'entered_at')
  if (root?.kind !== 'map' || !entered) return []
  if (approved && !isNull(approved))
    return [
      {
        name: 'approve',
        target: gate.file,
        because: `The design is approved since ${textOf(approved) ?? 'some time'}.`,
        hint: 'There is nothing more to approve.',
      },
    ]
  const source = gate.source(approved ?? entered)
  const named = stringOf(field(root, 'design_document_path'))
  const { folder } = files.candidate
  const designs = details.plans.flatMap(({ kind, path }) =>
    kind === 'design' && path !== null ? [folder === '' ? path : path.slice(folder.length + 1)] : [],
  )
  return [
    {
      name: 'approve',
      target: gate.file,
      title: `Approve the design of ${textOf(field(root, 'session_id')) ?? 'the session'}`,
      effect: 'The design counts as approved from now on, so that the session can be made.',
      fields:
        named === undefined && designs.length > 0
          ? [
              {
                name: 'design',
                label: 'The design',
                kind: 'choice',
                value: designs.length === 1 ? (designs[0] ?? null) : null,
                options: designs.slice(0, 100).map((path) => ({ value: path, label: path })),
                optional: true,
              },
            ]
          : [],
      source,
      answersNeed: needs.some((need) => need.source.file === source.file && need.source.pointer === source.pointer),
      plan: (values) => {
        const draft = new Draft(files)
        const design = values.text('design')
        draft.json(gate.file, ['approved_at'], values.time)
        if (design !== undefined) draft.json(gate.file, ['design_document_path'], design)
        return {
          summary: 'Approved the design',
          changes: draft.changes,
          warnings: named === undefined && design === undefined ? ['The approval names no design.'] : [],
        }
      },
    },
  ]
}
