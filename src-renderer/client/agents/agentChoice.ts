import { create } from 'zustand'
import { showView } from '../navigation'

type Choice =
  | { readonly run: string }
  | { readonly agent: string }
  | { readonly form: true }
  | { readonly connect: true }
  | null

export const useChoice = create<{ readonly choice: Choice }>(() => ({ choice: null }))

export const setChoice = (choice: Choice): void => useChoice.setState({ choice })

export async function showAgentRun(run: string): Promise<void> {
  setChoice({ run })
  await showView('agents')
}

export async function setUpAgent(): Promise<void> {
  setChoice({ form: true })
  await showView('agents')
}

export async function connectAgent(): Promise<void> {
  setChoice({ connect: true })
  await showView('agents')
}
