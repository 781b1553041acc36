import type { RunCommand } from './borrowedResources'
import { getResource } from './commands'

export interface RasterSize {
  readonly cyclesPerLine: number
  readonly linesPerFrame: number
}

const pal: RasterSize = { cyclesPerLine: 63, linesPerFrame: 312 }
/** By VICE's resource MachineVideoStandard: PAL, NTSC, old NTSC, PAL-N. */
const sizes: Readonly<Record<number, RasterSize>> = {
  1: pal,
  2: { cyclesPerLine: 65, linesPerFrame: 263 },
  3: { cyclesPerLine: 64, linesPerFrame: 262 },
  4: { cyclesPerLine: 65, linesPerFrame: 312 },
}

export async function readRasterSize(command: RunCommand, signal: AbortSignal): Promise<RasterSize> {
  const standard = await command((send) => send(getResource('MachineVideoStandard')), signal)
  return sizes[Number(standard)] ?? pal
}
