import type { ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import type { AddressSpace } from './pla'
import type { Processor } from './processor'

interface ViewedC64 {
  readonly cpu: Pick<Processor, 'a' | 'x' | 'y' | 'sp' | 'pc' | 'flags'>
  readonly space: AddressSpace
  readonly rasterLine: number
  readonly lineCycle: number
  peekChip(address: number): number
}

export const expressionView = (c64: ViewedC64): ExpressionMachine => ({
  register(name) {
    const { cpu } = c64
    switch (name) {
      case 'A':
        return cpu.a
      case 'X':
        return cpu.x
      case 'Y':
        return cpu.y
      case 'SP':
        return cpu.sp
      case 'PC':
        return cpu.pc
      case 'FL':
        return cpu.flags
      case 'RL':
        return c64.rasterLine
      case 'CY':
        return c64.lineCycle
    }
  },
  peek(bank, address) {
    const { space } = c64
    if (bank === 'ram' && address > 1) return space.ram[address] ?? 0
    const isIo = address >> 12 === 0xd && (bank === 'io' || (bank === 'cpu' && space.ioVisible))
    return isIo ? c64.peekChip(address) : space.peek(address)
  },
})
