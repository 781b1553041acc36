import { describe, expect, it } from 'vitest'
import { notedTimes, otherWriter, targetText } from './notedWriteText'

describe('a noted write in words', () => {
  it('has a writer, also where that is no instruction or not known', () => {
    expect(otherWriter({ cause: 'interrupt' }, 'bus')).toBe('an interrupt')
    expect(otherWriter({ cause: 'dma' }, 'bus')).toBe('DMA, not the CPU')
    expect(otherWriter({ cause: null }, 'bus')).toBe('instruction unknown')
    expect(otherWriter({ cause: null }, 'checkpoint')).toBe('instruction unknown')
  })

  it('says where it arrived unless the address does', () => {
    expect(targetText(0x0400, 'ram')).toBe('')
    expect(targetText(0xd020, 'io')).toBe('to I/O')
    expect(targetText(0xd020, 'ram')).toBe('to the RAM under I/O')
    expect(targetText(0xd020, null)).toBe('to I/O or RAM, unknown which')
    expect(targetText(0x0400, null)).toBe('')
    expect(targetText(0xa000, 'nothing')).toBe('to no memory')
  })

  it('is counted, with the packets of the bus that were lost', () => {
    expect(notedTimes({ by: 'bus', count: 2, lost: 1 })).toBe(
      'written 2 times on the bus stream of the Ultimate (1 packet lost)',
    )
    expect(notedTimes({ by: 'samples', count: 1, lost: null })).toBe('changed 1 time between samples')
  })
})
