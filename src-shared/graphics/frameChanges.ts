import { formatAddress } from '../c64/address'
import { ioByte } from '../c64/video'

const pictureRegisters: readonly number[] = [0xd011, 0xd016, 0xd018, 0xd021, 0xd022, 0xd023, 0xd024, 0xdd00]

const spriteRows: readonly number[] = [0xd001, 0xd003, 0xd005, 0xd007, 0xd009, 0xd00b, 0xd00d, 0xd00f]

export function moreSprites(io: Uint8Array, written: ReadonlySet<number> | null): string | null {
  if (ioByte(io, 0xd015) === 0) return null
  const changed = written ? spriteRows.filter((register) => written.has(register)) : []
  if (changed.length === 0 && (written !== null || !rasterInterruptsOn(io))) return null
  const why =
    changed.length === 0
      ? 'Raster interrupts are on'
      : `The program wrote ${formatAddress(changed[0] ?? 0)} within the last frame`
  return `${why}: it may show more than these eight, which are all that one image of memory tells.`
}

const rasterInterruptsOn = (io: Uint8Array): boolean => (ioByte(io, 0xd01a) & 1) !== 0

/**
 * Why parts of the picture may be shown with other registers; null where nothing says so.
 * @param written addresses of I/O that the program wrote within the last frame; null where not known
 */
export function frameChanges(io: Uint8Array, written: ReadonlySet<number> | null): string | null {
  const changed = written ? pictureRegisters.filter((register) => written.has(register)) : []
  const named = changed.map(formatAddress).join(', ')
  if (!rasterInterruptsOn(io)) {
    if (changed.length === 0) return null
    return `The program wrote ${named} within the last frame: parts of the picture may look different on the machine.`
  }
  if (written && changed.length === 0) return null
  const what = changed.length === 0 ? '' : ` and ${named} written within the last frame`
  return `Raster interrupts are on${what}: parts of the picture may look different on the machine.`
}
