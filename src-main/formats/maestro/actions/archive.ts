import { AppError } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { Offer, Refusal } from '../../edit/offer'
import { quote } from '../../finding'
import { nameOf, parentOf, within } from '../../listing'
import { field } from '../../text/located'
import { activeSession, gateFiles } from '../detect'
import { SESSION_ID } from '../schema'
import { idOf } from '../state'
import { SessionDraft, sourceOf, type MaestroRun } from './maestroRun'

/** Design and plan into `plans/archive`, the session as completed into `state/archive` under its id. */
export function archive(run: MaestroRun): (Offer | Refusal)[] {
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
                  `The archive says completed, although ${listNames(unfinished)} ${unfinished.length === 1 ? 'is' : 'are'} not done.`,
                ]),
            ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'error is' : 'errors are'} not resolved.`]),
            ...warnings,
          ],
        }
      },
    },
  ]
}
