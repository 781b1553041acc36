/** Where the built-in C64 is told to run to, looked for after each instruction. */
import type { RunTarget } from '@shared/contract/running'
import { IRQ_VECTOR, NMI_VECTOR } from './control'
import type { InstructionFollower } from './instructionFollower'
import type { Processor } from './processor'

interface Followed {
  readonly cpu: Processor
  readonly space: { peek(address: number): number }
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
  if (to === 'return') return routineEnd(c64)
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

const RTS = 0x60
const RTI = 0x40

/** Those of calls and interrupts within the routine leave the stack as it was when the run began, or deeper. */
function routineEnd({ cpu, space }: Followed): InstructionFollower {
  const start = cpu.sp
  let isReturn = false
  return {
    begin: () => {
      const opcode = space.peek(cpu.pc)
      isReturn = !cpu.interrupted && (opcode === RTS || opcode === RTI)
    },
    end: () => isReturn && cpu.sp > start,
  }
}
