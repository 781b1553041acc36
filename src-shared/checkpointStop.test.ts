import { describe, expect, it } from 'vitest'
import { describeStop } from './checkpointStop'
import { namesOf } from './c64/labels/names'
import { LabelTable } from './c64/labels/labelTable'
import type { CheckpointStop } from './contract/checkpoints'

const stop: CheckpointStop = {
  checkpoint: 1,
  time: 0,
  pc: 0x0819,
  start: 0x0819,
  end: 0x0819,
  operation: 'exec',
  by: null,
  condition: null,
  hit: null,
  pins: 7,
}
const names = namesOf(
  new LabelTable([{ name: 'draw', scope: null, address: 0x0819, size: null, kind: 'label' as const }]),
)

describe('a stop', () => {
  it('names where the machine stands once', () => {
    expect(describeStop(stop, names)).toBe('Stopped at $0819 (draw) because $0819 was reached')
    expect(describeStop(stop)).toBe('Stopped at $0819 because $0819 was reached')
  })

  it('names what was written, and says by which instruction, when, and at which hit', () => {
    const written: CheckpointStop = {
      ...stop,
      pc: 0x081c,
      start: 0xd020,
      end: 0xd020,
      operation: 'store',
      condition: 'A == 5',
      hit: 3,
      by: { address: 0x0819, text: 'INC $D020' },
    }
    expect(describeStop(written, names)).toBe(
      'Stopped at $081C (draw+3) because $D020 (VIC.BORDER) was written by $0819 INC $D020 while A == 5, at hit 3',
    )
  })

  it('calls nothing by what stands at the same address in another memory', () => {
    const written: CheckpointStop = { ...stop, pc: 0xffd2, start: 0xd020, end: 0xd020, operation: 'store' }
    const text = (pins: number | null) => describeStop({ ...written, pins }, names)
    expect(text(7)).toBe('Stopped at $FFD2 (CHROUT) because $D020 (VIC.BORDER) was written')
    expect(text(5)).toBe('Stopped at $FFD2 (RAM under the KERNAL) because $D020 (VIC.BORDER) was written')
    expect(text(4)).toBe('Stopped at $FFD2 (RAM under the KERNAL) because $D020 (RAM under I/O) was written')
    expect(describeStop({ ...written, operation: 'load', pins: 3 }, names)).toBe(
      'Stopped at $FFD2 (CHROUT) because $D020 (character ROM) was read',
    )
    expect(text(null)).toBe('Stopped at $FFD2 (CHROUT) because $D020 (VIC.BORDER) was written')
  })

  it('names no range', () => {
    expect(describeStop({ ...stop, end: 0x0820, operation: null }, names)).toBe(
      'Stopped at $0819 (draw) because the checkpoint at $0819-$0820 was hit',
    )
  })
})
