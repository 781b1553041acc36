import { create } from 'zustand'
import { showView } from '../../client/navigation'

/** What stands on the right: a run, an agent that is set up, or a new one. */
type Choice = { readonly run: string } | { readonly agent: string } | { readonly form: true } | null

export const useChoice = create<{ readonly choice: Choice }>(() => ({ choice: null }))

export const setChoice = (choice: Choice): void => useChoice.setState({ choice })

/** Opens the form for a new agent. */
export async function setUpAgent(): Promise<void> {
  setChoice({ form: true })
  await showView('agents')
}
