import { counted } from './countedText'
import type { NotedByte, NotedWrite } from './contract/running'

export function otherWriter({ cause }: Pick<NotedWrite, 'cause'>, by: NotedByte['by']): string {
  if (cause === 'interrupt') return 'an interrupt'
  if (cause === 'dma') return 'DMA, not the CPU'
  return by === 'samples' ? 'writer unknown' : 'instruction unknown'
}

export function targetText(address: number, target: NotedWrite['target']): string {
  const isChips = address >= 0xd000 && address < 0xe000
  switch (target) {
    case 'io':
      return 'to I/O'
    case 'ram':
      return isChips ? 'to the RAM under I/O' : ''
    case 'port':
      return 'to the 6510’s port'
    case 'cartridge':
      return 'to the cartridge'
    case 'nothing':
      return 'to no memory'
    case null:
      return isChips ? 'to I/O or RAM, unknown which' : ''
  }
}

export function notedTimes({ by, count, lost }: Pick<NotedByte, 'by' | 'count' | 'lost'>): string {
  const times = counted(count, 'time')
  switch (by) {
    case 'checkpoint':
      return `written ${times}`
    case 'bus':
      return `written ${times} on the bus stream of the Ultimate (${counted(lost ?? 0, 'packet')} lost)`
    case 'samples':
      return `changed ${times} between samples`
  }
}
