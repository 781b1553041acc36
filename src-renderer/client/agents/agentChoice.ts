import { create } from 'zustand'
import { showView } from '../navigation'

/** What stands on the right: a run, an agent that is set up, a new one, or how a program gets the machines. */
type Choice =
  | { readonly run: string }
  | { readonly agent: string }
  | { readonly form: true }
  | { readonly connect: true }
  | null

export const useChoice = create<{ readonly choice: Choice }>(() => ({ choice: null }))

export const setChoice = (choice: Choice): void => useChoice.setState({ choice })

/** Shows a run and its log in the Agents view. */
export async function showAgentRun(run: string): Promise<void> {
  setChoice({ run })
  await showView('agents')
}

/** Opens the form for a new agent. */
export async function setUpAgent(): Promise<void> {
  setChoice({ form: true })
  await showView('agents')
}

/** Opens what gives an agent's program the machines. */
export async function connectAgent(): Promise<void> {
  setChoice({ connect: true })
  await showView('agents')
}
