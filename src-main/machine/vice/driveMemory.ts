import { AppError } from '@shared/contract/errors'
import { driveSpaces, type DriveSpace } from '@shared/contract/memory'
import type { DriveMemoryAccess } from '../facets'
import type { Send } from './client'
import { getResource, readMemory, writeMemory } from './commands'
import type { Session } from './session'

const DRIVE_BANK = 0

/** A read or write of 64 KiB overflows a count of 16 bits: in VICE 3.5 for both, in all versions for a write. */
const MAX_PIECE_BYTES = 0x8000

/** @param live throws AppError LOST where VICE is not connected */
export const driveMemoryAccess = (live: () => Session): DriveMemoryAccess => ({
  read: async (drive, { address, length }, signal) => {
    const pieces = await live().command(async (send) => {
      const isOn = requireOn(send, drive)
      const read = piecesOf(length).map(([at, size]) =>
        send(readMemory(DRIVE_BANK, address + at, address + at + size - 1, memspaceOf(drive))),
      )
      const [, ...bytes] = await Promise.all([isOn, ...read])
      return bytes
    }, signal)
    return new Uint8Array(Buffer.concat(pieces))
  },
  write: async (drive, address, bytes, signal) => {
    const session = live()
    // A command of its own, as nothing may be written to a drive that is off.
    await session.command((send) => requireOn(send, drive), signal)
    await session.command(
      (send) =>
        Promise.all(
          piecesOf(bytes.length).map(([at, size]) =>
            send(writeMemory(DRIVE_BANK, address + at, bytes.subarray(at, at + size), memspaceOf(drive))),
          ),
        ),
      signal,
    )
  },
})

const memspaceOf = (drive: DriveSpace): number => driveSpaces.indexOf(drive) + 1

const piecesOf = (length: number): [number, number][] =>
  Array.from({ length: Math.ceil(length / MAX_PIECE_BYTES) }, (_, index) => {
    const at = index * MAX_PIECE_BYTES
    return [at, Math.min(MAX_PIECE_BYTES, length - at)]
  })

/**
 * VICE reads zeros from a drive that is off.
 * @throws AppError CONFLICT
 */
async function requireOn(send: Send, drive: DriveSpace): Promise<void> {
  const number = 8 + driveSpaces.indexOf(drive)
  const read = (name: string) => send(getResource(name)).catch(() => null)
  // Before VICE 3.6 one resource applied to all drives.
  const [type, own, all] = await Promise.all([
    read(`Drive${number}Type`),
    read(`Drive${number}TrueEmulation`),
    read('DriveTrueEmulation'),
  ])
  if (type === 0)
    throw new AppError('CONFLICT', `Drive ${number} of this VICE is off.`, {
      hint: `Choose its type in VICE: Settings, Peripheral devices, Drive ${number}.`,
    })
  if ((own ?? all) === 0)
    throw new AppError(
      'CONFLICT',
      `Drive ${number} of this VICE runs without true drive emulation, so its memory is not in use.`,
      {
        hint: `Switch true drive emulation on in VICE: Settings, Peripheral devices, Drive ${number}.`,
      },
    )
}
