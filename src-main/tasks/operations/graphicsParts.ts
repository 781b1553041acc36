import type { AddressSpan } from '@shared/c64/differingRanges'
import { romNoteOf } from '@shared/c64/standInRom'
import type { Video } from '@shared/c64/video'
import { toFailure } from '@shared/contract/errors'
import type { GraphicsImage } from '@shared/graphics/grab'
import { readImage, ramOrCpu } from '../../machine/readImage'
import type { Machine, MemoryRange } from '../../machine/machine'
import type { OperationContext } from '../operation'
import { readGraphicsRegisters } from './screen'

const MEMORY = 0x10000
const COLOR_RAM = { space: 'colorRam', address: 0xd800, length: 0x400 } as const
const CHARACTER_ROM = { space: 'rom', address: 0xd000, length: 0x1000 } as const

export interface GraphicsParts {
  readonly image: GraphicsImage
  readonly video: Video
}

export const shownBank = ({ bankStart }: Video): AddressSpan[] => [{ address: bankStart, length: 0x4000 }]

/**
 * @param parts of RAM; what lies past $FFFF is left out
 * @throws NotNow where the chips are out of sight
 */
export async function readGraphicsParts(
  { machine, signal }: Pick<OperationContext, 'machine' | 'signal'>,
  space: 'ram' | 'cpu' | undefined,
  parts: (video: Video) => readonly AddressSpan[],
): Promise<GraphicsParts> {
  const { io, video } = await readGraphicsRegisters(machine, signal)
  const ram = new Uint8Array(MEMORY)
  for (const { address, length } of parts(video)) {
    const range = { space: space ?? ramOrCpu(machine), address, length: Math.min(length, MEMORY - address) }
    ram.set((await readImage(machine, range, signal)).bytes, address)
  }
  const colorRam = (await readOrNull(machine, COLOR_RAM, signal)) ?? new Uint8Array(COLOR_RAM.length)
  return { image: { ram, io, colorRam, characterRom: await readOrNull(machine, CHARACTER_ROM, signal) }, video }
}

export async function withRom(
  { standInRom, log }: Pick<OperationContext, 'standInRom' | 'log'>,
  image: GraphicsImage,
): Promise<GraphicsImage> {
  if (image.characterRom) return image
  const standIn = await standInRom()
  const romNote = romNoteOf(standIn)
  log(romNote)
  return { ...image, characterRom: standIn.bytes, romNote }
}

async function readOrNull(machine: Machine, range: MemoryRange, signal: AbortSignal): Promise<Uint8Array | null> {
  try {
    return await machine.readMemory(range, signal)
  } catch (error) {
    if (toFailure(error).code === 'UNSUPPORTED') return null
    throw error
  }
}
