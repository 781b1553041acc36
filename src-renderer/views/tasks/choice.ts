import { create } from 'zustand'
import { call } from '../../client/call'
import { requireFront } from '../../client/machineControl'
import { showView } from '../../client/navigation'
import { setViewValue } from '../../client/viewState'
import type { StartedFrom } from './taskDraft'

export type Choice =
  | { readonly task: string }
  | { readonly form: StartedFrom | null }
  | { readonly repair: true }
  | null

export const useChoice = create<{ readonly choice: Choice }>(() => ({ choice: null }))

export const setChoice = (choice: Choice): void => useChoice.setState({ choice })

export async function showTask(task: string): Promise<void> {
  setViewValue('tasks.filter', 'all')
  setChoice({ task })
  await showView('tasks')
}

export async function newTask(): Promise<void> {
  setChoice({ form: null })
  await showView('tasks')
}

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
