import type { LoopName } from '@shared/contract/loops'
import type { Run, RunNeed } from '@shared/contract/orchestration'
import type { Setup } from './useLoopSetup'

export const openQuestion = ({ state, needs }: Pick<Run, 'state' | 'needs'>): RunNeed | undefined =>
  state.value === 'waiting' ? needs.find(({ kind }) => kind === 'question') : undefined

/** `unknown` while its folder is restricted, and where this computer has no git. */
export type GitState = 'there' | 'required' | 'advised' | 'unknown'

/** Agents of a Meta-Shell run commit what they did; those of others can be checked and undone if they do. */
export function gitStateOf(
  { system }: Pick<LoopName, 'system'>,
  { hasRepository }: Pick<Setup, 'hasRepository'>,
): GitState {
  if (hasRepository === null) return 'unknown'
  return hasRepository ? 'there' : system === 'metashell' ? 'required' : 'advised'
}

export function obstacleOf(
  name: Pick<LoopName, 'system'>,
  setup: Pick<Setup, 'missing' | 'hasRepository'>,
  question: RunNeed | undefined,
): string | null {
  const [missing] = setup.missing
  if (missing) return `${missing.what} ${missing.hint}`
  if (gitStateOf(name, setup) === 'required') return 'Set up git first: its agents commit their work.'
  return question ? 'Answer its question first.' : null
}
