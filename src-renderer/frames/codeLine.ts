import { create } from 'zustand'
import type { CheckpointLine, LabelledCheckpoint } from '@shared/contract/checkpoints'
import { AppError } from '@shared/contract/errors'
import { stopsWhereRun, toggleCheckpoint } from '../client/checkpoints'
import { requireFront } from '../client/machineControl'
import { canBeFollowed, frontMachine } from '../client/machines'
import { frames } from './frames'

type CodeView = 'code' | 'memory' | 'source'

export interface CodeLine {
  readonly view: CodeView
  readonly address: number | null
  readonly line: CheckpointLine | null
  readonly isOwn: (checkpoint: LabelledCheckpoint) => boolean
}

export const useCodeLine = create<{ readonly chosen: CodeLine | null }>(() => ({ chosen: null }))

export const chooseCodeLine = (chosen: CodeLine): void => useCodeLine.setState({ chosen })

export function releaseCodeLine(view: CodeView): void {
  if (useCodeLine.getState().chosen?.view === view) useCodeLine.setState({ chosen: null })
}

export const instructionAt = (view: CodeView, address: number): CodeLine => ({
  view,
  address,
  line: null,
  isOwn: stopsWhereRun(address),
})

export async function toggleChosenCheckpoint(): Promise<void> {
  requireFront()
  const chosen = useCodeLine.getState().chosen ?? lineAtPc()
  if (chosen === null)
    throw new AppError('CONFLICT', 'No line of code is chosen.', {
      hint: 'Choose one in the source or a disassembly, or pause the machine.',
    })
  await toggleCheckpoint(chosen.address, chosen.isOwn, chosen.line)
}

function lineAtPc(): CodeLine | null {
  const pc = frames.registers.find(({ name }) => name === 'PC')?.value
  return pc === undefined || !canBeFollowed(frontMachine()) ? null : instructionAt('code', pc)
}
