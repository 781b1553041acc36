import { create } from 'zustand'
import { call } from '../../client/call'
import { requireFront } from '../../client/machineControl'
import { showView } from '../../client/navigation'
import { setViewValue } from '../../client/viewState'
import type { StartedFrom } from './taskDraft'

/** What stands on the right: a task, the form for a new one, or what a damaged tasks.json would become. */
export type Choice =
  | { readonly task: string }
  | { readonly form: StartedFrom | null }
  | { readonly repair: true }
  | null

export const useChoice = create<{ readonly choice: Choice }>(() => ({ choice: null }))

export const setChoice = (choice: Choice): void => useChoice.setState({ choice })

/** Chooses a task in its view, with all tasks in the list. */
export async function showTask(task: string): Promise<void> {
  setViewValue('tasks.filter', 'all')
  setChoice({ task })
  await showView('tasks')
}

/** Opens the form for a new task, with the keyboard in its first field. */
export async function newTask(): Promise<void> {
  setChoice({ form: null })
  await showView('tasks')
}

/** A task that any machine can do, and that leaves something to look at. */
export async function startSample(): Promise<void> {
  const { id } = await call('tasks.startGranted', {
    operation: 'capture_screen',
    machine: requireFront(),
    type: 'foreground',
    args: {},
    files: {},
  })
  await showTask(id)
}
