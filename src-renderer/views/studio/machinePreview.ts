import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import type { MemoryRun } from '@shared/contract/memory'
import { planPreview, type PreviewPlan } from '@shared/graphics/previewPlan'
import { call } from '../../client/call'
import { frontMachine, limitOf } from '../../client/machines'
import { standingRuns, writeRuns } from '../../client/replaceMemory'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { spriteMemoryNow } from '../../frames/sprites'
import { requireConversion, useStudio } from './studio'

interface Preview {
  readonly machine: string
  readonly title: string
  readonly places: string
  /** What stood there, in the order in which it is put back. */
  readonly before: readonly MemoryRun[]
  /** Null where the program goes on. */
  readonly program: HeldProgram | null
}

interface HeldProgram {
  readonly wasRunning: boolean
  readonly registers: readonly { readonly name: string; readonly value: number }[]
}

/** What a machine shows of ours; null while none does. */
export const usePreview = create<{ readonly preview: Preview | null }>(() => ({ preview: null }))

/** What would be written to the machine in front; null before its memory is known. */
export function planNow(): PreviewPlan | null {
  const { conversion } = useStudio.getState()
  const image = graphicsImageNow()
  return image && conversion && planPreview(conversion.artwork, image, spriteMemoryNow(), conversion.columns)
}

/** Writes the converted picture to the machine in front. Where that can be done, its program waits meanwhile. */
export async function previewInMachine(): Promise<void> {
  requireConversion()
  const state = frontMachine()
  const limit = limitOf(state, 'writeMemory')
  if (!state || limit !== null) throw new AppError('UNSUPPORTED', limit ?? 'No machine is chosen.')
  if (usePreview.getState().preview !== null) await takeBack()
  const plan = planNow()
  if (plan === null) throw new AppError('BUSY', 'The machine’s memory is not known yet. Try again in a moment.')
  const { machine, title } = state
  const program = programLimit(state) === null ? await holdProgram(state) : null
  const writes = program === null ? plan.writes : [...plan.writes, plan.loop]
  const before = await standingRuns(machine, writes)
  usePreview.setState({ preview: { machine, title, places: plan.places, before, program } })
  await writeRuns(machine, writes)
  if (program === null) return
  await call('memory.setRegister', { machine, name: 'PC', value: plan.loop.address })
  await call('machine.resume', { machine })
}

/** Puts back what the preview replaced, and lets the program go on. */
export async function takeBack(): Promise<void> {
  const { preview } = usePreview.getState()
  if (preview === null) throw new AppError('NOT_FOUND', 'No machine shows a preview.')
  const { machine, before, program } = preview
  if (program !== null) await call('machine.pause', { machine })
  await writeRuns(machine, before)
  for (const register of program?.registers ?? []) await call('memory.setRegister', { machine, ...register })
  if (program?.wasRunning === true) await call('machine.resume', { machine })
  usePreview.setState({ preview: null })
}

/** Why the program goes on while a preview is shown, and may draw over it; null where it can wait. */
export const programLimit = (state: MachineState | undefined): string | null =>
  limitOf(state, 'pause') ?? limitOf(state, 'setRegisters')

/** Pauses the machine, and tells where its program stood. */
async function holdProgram({ machine, execution }: MachineState): Promise<HeldProgram> {
  await call('machine.pause', { machine })
  const { registers } = await call('memory.registers', { machine })
  const kept = registers.filter(({ name }) => name === 'PC' || name === 'FL')
  return { wasRunning: execution === 'running', registers: kept.map(({ name, value }) => ({ name, value })) }
}
