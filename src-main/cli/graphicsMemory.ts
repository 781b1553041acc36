import { decodeSprites, type Sprite } from '@shared/c64/sprites'
import { ROM_NOT_SHOWN } from '@shared/c64/standInRom'
import type { Scene } from '@shared/c64/vicii'
import { decodeVideo } from '@shared/c64/video'
import { AppError, toFailure } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import { readChipRegisters, videoRegisters } from './chipRegisters'
import type { Session } from './session'

const COLOR_RAM = { space: 'colorRam', address: 0xd800, length: 0x400 } as const
const CHARACTER_ROM = { space: 'rom', address: 0xd000, length: 0x1000 } as const

export interface GraphicsMemory {
  readonly scene: Scene
  readonly sprites: readonly Sprite[]
  /** 4096 bytes from $D000: the registers of VIC-II and CIA 2. */
  readonly io: Uint8Array
  readonly hasRom: boolean
  readonly notes: readonly string[]
}

/** @throws AppError NOT_FOUND for a machine that is not listed */
export async function stateOf({ client }: Session, machine: string, signal: AbortSignal): Promise<MachineState> {
  const { machines } = await client.call('machine.list', {}, signal)
  const found = machines.find((listed) => listed.machine === machine)
  if (!found) throw new AppError('NOT_FOUND', `${machine} is not connected.`)
  return found
}

export async function readGraphics(session: Session, machine: string, signal: AbortSignal): Promise<GraphicsMemory> {
  const { standard } = await stateOf(session, machine, signal)
  const io = await readChipRegisters(session, { machine, ranges: videoRegisters }, signal)
  const { ram, isHidden } = await readRam(session, machine, signal)
  const rom = await readOrNull(session, { machine, ...CHARACTER_ROM }, signal)
  const colours = await readOrNull(session, { machine, ...COLOR_RAM }, signal)
  return {
    scene: {
      ram,
      characterRom: rom ?? new Uint8Array(CHARACTER_ROM.length),
      colorRam: colours ?? new Uint8Array(COLOR_RAM.length),
      bank: decodeVideo(io).bank,
      registers: io,
      standard: standard ?? 'pal',
    },
    sprites: decodeSprites({ io, ram, characterRom: rom }),
    io,
    hasRom: rom !== null,
    notes: [
      ...(isHidden ? ['This machine does not show RAM under ROM and chips.'] : []),
      ...(rom ? [] : [ROM_NOT_SHOWN]),
    ],
  }
}

export const charactersNotShown = (): AppError =>
  new AppError('UNSUPPORTED', ROM_NOT_SHOWN, { hint: 'Give the address of a set in RAM with --at.' })

async function readOrNull(
  { client }: Session,
  range: { machine: string; space: 'rom' | 'colorRam'; address: number; length: number },
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    return (await client.call('memory.read', range, signal)).bytes
  } catch (error) {
    if (toFailure(error).code === 'UNSUPPORTED') return null
    throw error
  }
}

/** Leaves out the chips, where reading some registers disturbs the program. */
const aroundChips = [
  [0x0000, 0xd000],
  [0xe000, 0x2000],
] as const

/** All RAM, or what the CPU sees where the machine gives no access to the RAM below. */
export async function readRam(session: Session, machine: string, signal: AbortSignal) {
  const { client } = session
  const { capabilities } = await stateOf(session, machine, signal)
  if (capabilities.ramUnderRom === null) {
    const whole = { machine, space: 'ram' as const, address: 0, length: 0x10000 }
    return { ram: (await client.call('memory.read', whole, signal)).bytes, isHidden: false }
  }
  const ram = new Uint8Array(0x10000)
  for (const [address, length] of aroundChips)
    ram.set((await client.call('memory.read', { machine, space: 'cpu', address, length }, signal)).bytes, address)
  return { ram, isHidden: true }
}
