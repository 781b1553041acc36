import type { RunTarget } from '@shared/contract/running'
import { IRQ_VECTOR, NMI_VECTOR } from './control'
import type { InstructionFollower } from './instructionFollower'
import type { Processor } from './processor'

interface Followed {
  readonly cpu: Processor
  readonly space: { peek(address: number): number }
  readonly rasterLine: number
}

export function runTarget(to: RunTarget, c64: Followed): InstructionFollower {
  const { cpu } = c64
  const begin = () => undefined
  // A pending interrupt comes before the instruction there, and returns to it.
  if (typeof to === 'number') return { begin, end: () => cpu.pc === to && !cpu.interrupted }
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

/** Returns of calls and interrupts within the routine leave the stack as it was at the start, or deeper. */
function routineEnd({ cpu, space }: Followed): InstructionFollower {
  const start = cpu.sp
  let isReturn = false
  return {
    begin: () => (isReturn = isAtReturn({ cpu, space })),
    end: () => isReturn && stackRise(start, cpu.sp) > 0,
  }
}

export const isAtReturn = ({ cpu, space }: Pick<Followed, 'cpu' | 'space'>): boolean =>
  !cpu.interrupted && [RTS, RTI].includes(space.peek(cpu.pc))

/** By how many bytes the stack has shrunk; negative where it has grown. The pointer may wrap. */
export const stackRise = (before: number, now: number): number => ((now - before + 0x180) & 0xff) - 0x80
