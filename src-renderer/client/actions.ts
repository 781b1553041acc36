import { actions, type ActionId } from '@shared/actions'
import { limitOfAction } from './actionLimits'
import { frontMachine, useFrontMachine } from './machines'
import { attempt, notify } from './messages'
import type { Performer } from './view'

const performers = new Map<string, Performer>()

export function registerActions(added: Readonly<Record<string, Performer>>): void {
  for (const [id, performer] of Object.entries(added)) performers.set(id, performer)
}

export const useActionLimit = (id: ActionId): string | null => limitOfAction(id, useFrontMachine())

export function perform(id: ActionId): void {
  const about = `action ${id}`
  const limit = limitOfAction(id, frontMachine())
  if (limit !== null) {
    notify(`${actions[id].title.replace('…', '')}: ${limit}`, null, null, about)
    return
  }
  attempt(async () => {
    await performers.get(id)?.()
  }, about)
}
