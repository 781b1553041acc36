import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
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

export async function previewInMachine(): Promise<void> {
  requireConversion()
  const state = frontMachine()
  const limit = limitOf(state, 'writeMemory')
  if (!state || limit !== null) throw new AppError('UNSUPPORTED', limit ?? 'No machine is chosen.')
  if (usePreview.getState().preview !== null) await takeBack()
  const plan = planNow()
  if (plan === null) throw new AppError('BUSY', 'The machine’s memory is not known yet. Try again in a moment.')
  const { machine, title } = state
  const before: PreviewWrite[] = []
  for (const { space, address, bytes } of plan.writes) {
    const { bytes: stood } = await call('memory.read', { machine, space, address, length: bytes.length })
    before.unshift({ space, address, bytes: address === CONTROL ? stood.map((value) => value & CONTROL_BITS) : stood })
  }
  usePreview.setState({ preview: { machine, title, places: plan.places, before } })
  await writeAll(machine, plan.writes)
}

/** Puts back what the preview replaced. */
export async function takeBack(): Promise<void> {
  const { preview } = usePreview.getState()
  if (preview === null) throw new AppError('NOT_FOUND', 'No machine shows a preview.')
  await writeAll(preview.machine, preview.before)
  usePreview.setState({ preview: null })
}

async function writeAll(machine: string, writes: readonly PreviewWrite[]): Promise<void> {
  for (const { space, address, bytes } of writes)
    await call('memory.write', { machine, space, address, bytes: Uint8Array.from(bytes) })
}
