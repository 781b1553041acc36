import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import { planPreview, type PreviewPlan, type PreviewWrite } from '@shared/graphics/previewPlan'
import { call } from '../../client/call'
import { frontMachine, limitOf } from '../../client/machines'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { requireConversion, useStudio } from './studio'

interface Preview {
  readonly machine: string
  readonly title: string
  readonly places: string
  /** What stood there, in the order in which it is put back. */
  readonly before: readonly PreviewWrite[]
  /** Null where the program goes on. */
  readonly program: HeldProgram | null
}

interface HeldProgram {
  readonly wasRunning: boolean
  readonly registers: readonly { readonly name: string; readonly value: number }[]
}

/** What a machine shows of ours; null while none does. */
export const usePreview = create<{ readonly preview: Preview | null }>(() => ({ preview: null }))

/** $D011 reads as the raster line's bit 8 there, and is written as where the raster interrupt comes. */
const CONTROL = 0xd011
const CONTROL_BITS = 0x7f

/** What would be written to the machine in front; null before its memory is known. */
export function planNow(): PreviewPlan | null {
  const state = frontMachine()
  const { conversion } = useStudio.getState()
  if (!state || conversion === null) return null
  const ram = state.capabilities.ramUnderRom === null ? 'ram' : 'cpu'
  const image = graphicsImageNow(ram)
  return image && planPreview(conversion.artwork, image, ram, conversion.columns)
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
  const before: PreviewWrite[] = []
  for (const { space, address, bytes } of writes) {
    const { bytes: stood } = await call('memory.read', { machine, space, address, length: bytes.length })
    before.unshift({ space, address, bytes: address === CONTROL ? stood.map((value) => value & CONTROL_BITS) : stood })
  }
  usePreview.setState({ preview: { machine, title, places: plan.places, before, program } })
  await writeAll(machine, writes)
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
  await writeAll(machine, before)
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

async function writeAll(machine: string, writes: readonly PreviewWrite[]): Promise<void> {
  for (const { space, address, bytes } of writes)
    await call('memory.write', { machine, space, address, bytes: Uint8Array.from(bytes) })
}
