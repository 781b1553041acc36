import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import type { MemoryRun } from '@shared/contract/memory'
import { planPreview, type PreviewPlan } from '@shared/graphics/previewPlan'
import { putBack } from '@shared/graphics/putBack'
import { SerialQueue } from '@shared/serialQueue'
import { call } from '../../client/call'
import { findMachine, frontMachine, isConnected, limitOf, useMachines } from '../../client/machines'
import { notify } from '../../client/messages'
import { readRuns, standingRuns, writeRuns } from '../../client/replaceMemory'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { requireLive } from '../../frames/shownMoment'
import { spriteMemoryNow } from '../../frames/sprites'
import { requireConversion, useStudio } from './studio'

interface Preview {
  readonly machine: string
  readonly title: string
  readonly places: string
  readonly before: readonly MemoryRun[]
  readonly left: readonly MemoryRun[] | null
  /** Null where the program keeps running. */
  readonly program: HeldProgram | null
}

interface HeldProgram {
  readonly wasRunning: boolean
  readonly registers: readonly { readonly name: string; readonly value: number }[]
  readonly loop: MemoryRun
}

export const usePreview = create<{ readonly preview: Preview | null }>(() => ({ preview: null }))

export function planNow(): PreviewPlan | null {
  const { conversion } = useStudio.getState()
  const image = graphicsImageNow()
  return image && conversion && planPreview(conversion.artwork, image, spriteMemoryNow(), conversion.columns)
}

const turns = new SerialQueue()

export const previewInMachine = (): Promise<void> => turns.run(preview)

/** Restores what the preview replaced and lets the program go on. What changed since stays. */
export const takeBack = (): Promise<void> => turns.run(putProgramBack)

async function preview(): Promise<void> {
  requireConversion()
  requireLive()
  const state = frontMachine()
  const limit = limitOf(state, 'writeMemory')
  if (!state || limit !== null) throw new AppError('UNSUPPORTED', limit ?? 'No machine is chosen.')
  const { preview: shown } = usePreview.getState()
  if (shown && isConnected(findMachine(useMachines.getState(), shown.machine))) await putProgramBack()
  const plan = planNow()
  if (plan === null) throw new AppError('BUSY', 'The machine’s memory is not known yet. Try again in a moment.')
  const { machine, title } = state
  const program = programLimit(state) === null ? await holdProgram(state, plan.loop) : null
  const writes = program === null ? plan.writes : [...plan.writes, plan.loop]
  const before = await standingRuns(machine, writes).catch(async (error: unknown) => {
    if (program?.wasRunning === true) await call('machine.resume', { machine })
    throw error
  })
  const written = { machine, title, places: plan.places, before, program }
  usePreview.setState({ preview: { ...written, left: null } })
  await writeRuns(machine, writes)
  usePreview.setState({ preview: { ...written, left: await readRuns(machine, before) } })
  if (program === null) return
  await call('memory.setRegister', { machine, name: 'PC', value: plan.loop.address })
  await call('machine.resume', { machine })
}

async function putProgramBack(): Promise<void> {
  const { preview } = usePreview.getState()
  if (preview === null) throw new AppError('NOT_FOUND', 'No machine shows a preview.')
  const { machine, before, left, program } = preview
  if (program !== null) await call('machine.pause', { machine })
  const isHeld = program !== null && (left === null || (await isInLoop(machine, program.loop)))
  const runs = isHeld || left === null ? before : putBack(before, left, await readRuns(machine, before))
  if (runs.length > 0) await writeRuns(machine, runs)
  if (isHeld) for (const register of program.registers) await call('memory.setRegister', { machine, ...register })
  if (program !== null && (program.wasRunning || !isHeld)) await call('machine.resume', { machine })
  usePreview.setState({ preview: null })
  if (program !== null && !isHeld)
    notify('The machine was reset, or runs another program: it goes on, and what changed since stays.')
}

async function isInLoop(machine: string, { address, bytes }: MemoryRun): Promise<boolean> {
  const { registers } = await call('memory.registers', { machine })
  const pc = registers.find(({ name }) => name === 'PC')?.value ?? 0
  return pc >= address && pc < address + bytes.length
}

/** Why the program keeps running during a preview and may draw over it; null where it can wait. */
export const programLimit = (state: MachineState | undefined): string | null =>
  limitOf(state, 'pause') ?? limitOf(state, 'setRegisters')

async function holdProgram({ machine, execution }: MachineState, loop: MemoryRun): Promise<HeldProgram> {
  await call('machine.pause', { machine })
  const { registers } = await call('memory.registers', { machine })
  const kept = registers.filter(({ name }) => name === 'PC' || name === 'FL')
  return { wasRunning: execution === 'running', registers: kept.map(({ name, value }) => ({ name, value })), loop }
}
