/**
 * Memory out of a VICE snapshot (.vsf). Sources: VICE's manual, "Snapshot format", and c64memsnapshot.c. A header, then
 * modules, each with its size; C64MEM has the port and the 64 KiB of RAM.
 */
import { AppError } from '../contract/errors'

const MAGIC = 'VICE Snapshot File\x1a'
const VERSION_MAGIC = 'VICE Version\x1a'
/** Magic, version (2) and machine (16). */
const HEADER_BYTES = 37
/** Magic (13), version (4) and revision (4), since VICE 2.4. */
const VERSION_BYTES = 21
/** Name (16), version (2) and size (4, with these). */
const MODULE_HEADER_BYTES = 22
const MACHINE_AT = 21
const MACHINE_BYTES = 16
const MEMORY_MODULE = 'C64MEM'
/** The port’s data and direction, EXROM and GAME. */
const BEFORE_RAM = 4
const RAM_BYTES = 0x10000

const textAt = (file: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...file.subarray(at, at + length))

export const isVsf = (file: Uint8Array): boolean => textAt(file, 0, MAGIC.length) === MAGIC

/** @throws AppError INVALID that says what was expected where */
export function readVsfRam(file: Uint8Array): Uint8Array {
  const text = (at: number, length: number) => textAt(file, at, length).replace(/\0.*$/s, '')
  const refuse = (what: string): AppError =>
    new AppError('INVALID', `This is no VICE snapshot that can be read: ${what}.`, {
      hint: 'Save the snapshot again.',
    })
  if (!isVsf(file)) throw refuse('it does not begin with “VICE Snapshot File”')
  if (file.length < HEADER_BYTES) throw refuse(`it ends within its header, at byte ${file.length}`)
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let at = text(HEADER_BYTES, VERSION_MAGIC.length) === VERSION_MAGIC ? HEADER_BYTES + VERSION_BYTES : HEADER_BYTES
  while (at + MODULE_HEADER_BYTES <= file.length) {
    const name = text(at, 16)
    const size = view.getUint32(at + 18, true)
    if (size < MODULE_HEADER_BYTES || at + size > file.length)
      throw refuse(`the module at byte ${at} has ${size} bytes, of a file of ${file.length}`)
    if (name === MEMORY_MODULE) {
      const start = at + MODULE_HEADER_BYTES + BEFORE_RAM
      if (start + RAM_BYTES > at + size) throw refuse(`${MEMORY_MODULE} at byte ${at} ends within the RAM`)
      return file.slice(start, start + RAM_BYTES)
    }
    at += size
  }
  const machine = text(MACHINE_AT, MACHINE_BYTES).replaceAll(/[^ -~]/g, '?')
  if (/^C64/.test(machine)) throw refuse(`it ends at byte ${file.length} without a module ${MEMORY_MODULE}`)
  throw new AppError('INVALID', `This VICE snapshot is of another machine: ${machine}. Expected C64 or C64SC.`, {
    hint: 'Save one of x64sc or x64.',
  })
}
