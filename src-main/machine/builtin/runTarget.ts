/** Where the built-in C64 is told to run to, looked for after each instruction. */
import type { RunTarget } from '@shared/contract/running'
import { IRQ_VECTOR, NMI_VECTOR } from './control'
import type { InstructionFollower } from './instructionFollower'
import type { Processor } from './processor'

interface Followed {
  readonly cpu: Processor
  readonly rasterLine: number
}

/** Begins with the machine as it stands. */
export function runTarget(to: RunTarget, c64: Followed): InstructionFollower {
  const { cpu } = c64
  const begin = () => undefined
  if (typeof to === 'number') return { begin, end: () => cpu.pc === to }
  if (to === 'line' || to === 'frame') {
    let line = c64.rasterLine
    return {
      begin,
      end: () => {
        const before = line
        line = c64.rasterLine
        return to === 'line' ? line !== before : line < before
      },
    }
  }
  // A BRK takes the vector of IRQ; an NMI may take the place of either.
  let isInterrupt = false
  return {
    begin: () => {
      isInterrupt = cpu.interrupted
      cpu.vectorTaken = null
    },
    end: () => cpu.vectorTaken === (to === 'nmi' ? NMI_VECTOR : IRQ_VECTOR) && (to === 'nmi' || isInterrupt),
  }
}
