/** The line of code that was chosen last, in whichever view: the command for its checkpoint is about it. */
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
  /** Where it runs first; null where it became no code. */
  readonly address: number | null
  readonly line: CheckpointLine | null
  readonly isOwn: (checkpoint: LabelledCheckpoint) => boolean
}

export const useCodeLine = create<{ readonly chosen: CodeLine | null }>(() => ({ chosen: null }))

export const chooseCodeLine = (chosen: CodeLine): void => useCodeLine.setState({ chosen })

/** To be called by a view whose lines are shown no more, or others are. */
export function releaseCodeLine(view: CodeView): void {
  if (useCodeLine.getState().chosen?.view === view) useCodeLine.setState({ chosen: null })
}

/** A line of a disassembly. */
export const instructionAt = (view: CodeView, address: number): CodeLine => ({
  view,
  address,
  line: null,
  isOwn: stopsWhereRun(address),
})

/** Sets or removes the checkpoint of the chosen line, or of the one that runs next. */
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
