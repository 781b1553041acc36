import { AppError } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Refusal, Values } from '../../edit/offer'
import { quote } from '../../finding'
import { nameOf, parentOf, within } from '../../listing'
import { field } from '../../text/located'
import { activeSession, gateFiles } from '../detect'
import { SESSION_ID } from '../schema'
import { changedCode, currentReview } from '../session/review'
import { idOf } from '../state'
import { SessionDraft, sourceOf, type MaestroRun } from './maestroRun'

export function archive(run: MaestroRun): (Offer | Refusal)[] {
  const { files, state, session, phases } = run
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'archive', target: '', because, hint }]
  const id = idOf(files, session).value ?? ''
  if (!SESSION_ID.test(id))
    return refuse(
      `${quote(id)} cannot be the name of an archive.`,
      'Correct session_id in an editor: letters, digits, _ and -.',
    )
  if (session.file !== activeSession(state.stateDir))
    return refuse(`${session.file} is not the active session.`, 'Only the active session can be archived.')
  const unclear = phases.find(({ details }) => details.requiresReconciliation.value === true)
  if (unclear) return refuse(`It is unclear which files phase “${unclear.title}” changed.`, 'List its files first.')
  const review = currentReview(state)
  if (review?.verdict === 'blocked')
    return refuse(
      `The code review blocks it: ${review.counts}.`,
      'Fix the findings and have it reviewed again, or accept them with a reason.',
    )
  const need = run.needs.find(({ kind }) => kind === 'approval')
  return [
    {
      name: 'archive',
      target: '',
      title: 'Archive the session',
      effect: 'Sets the session to completed and moves it to the archive, with its design and plan.',
      fields: [],
      source: need?.source ?? sourceOf(run, field(session.root, 'status')),
      answersNeed: need !== undefined,
      plan: (values) => planArchive(run, id, values),
    },
  ]
}

function planArchive(run: MaestroRun, id: string, values: Values): ActionPlan {
  const { files, state, session } = run
  const draft = new SessionDraft(run, values)
  const plansLeft = movePlans(run, draft)
  draft.setTop('status', 'completed')
  draft.setTop('updated', values.time)
  move(draft, session.file, within(state.stateDir, `state/archive/${id}.md`))
  const gate = gateFiles(files.listing, state.stateDir).find((file) => nameOf(file) === `${id}.design-gate.json`)
  if (gate !== undefined) draft.write(gate, null)
  return {
    summary: `Archived the session ${id}`,
    changes: draft.changes,
    warnings: [...unfinished(run), ...plansLeft, ...unreviewed(run)],
  }
}

function move(draft: SessionDraft, from: string, to: string): void {
  if (draft.has(to))
    throw new AppError('CONFLICT', `${to} already exists.`, {
      hint: 'Rename or remove it first: an archive is never overwritten.',
    })
  draft.move(from, to)
}

function movePlans({ state }: MaestroRun, draft: SessionDraft): string[] {
  const plans = within(state.stateDir, 'plans')
  return state.details.plans.flatMap(({ path, named }) => {
    if (path === null) return [`${named.value ?? 'A plan'} is missing, so it is not archived.`]
    if (parentOf(path) === within(plans, 'archive')) return []
    if (parentOf(path) !== plans) return [`${path} is outside ${plans}, so it is not archived.`]
    move(draft, path, within(plans, `archive/${nameOf(path)}`))
    return []
  })
}

function unreviewed({ state }: MaestroRun): string[] {
  const code = changedCode(state.details)
  return code.length === 0 || currentReview(state)
    ? []
    : [`No code review after the last phase, although code changed: ${listNames(code)}.`]
}

function unfinished({ phases }: MaestroRun): string[] {
  const open = phases.filter(({ status }) => status !== 'completed' && status !== 'skipped')
  const errors = phases.flatMap((phase) => phase.errors.filter((error) => error.open)).length
  return [
    ...(open.length === 0
      ? []
      : [
          `Not all phases are done, although the archive says completed: ${listNames(open.map(({ title }) => `“${title}”`))}.`,
        ]),
    ...(errors === 0 ? [] : [`${errors} unresolved error${errors === 1 ? '' : 's'}.`]),
  ]
}
