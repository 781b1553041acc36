import { describe, expect, it } from 'vitest'
import { portLevels, resetPort, writePort } from './processorPort'

const DIRECTION = 0
const DATA = 1
const drive = (value: number, now = 0) => writePort(writePort(resetPort(), DIRECTION, 0xff, now), DATA, value, now)

describe('the processor port', () => {
  it('reads what its outputs drive, and its inputs as pulled up', () => {
    expect(portLevels(resetPort(), 0)).toBe(0x17)
    expect(portLevels(drive(0xa5), 0)).toBe(0xa5)
    expect(portLevels(writePort(drive(0x00), DIRECTION, 0xf8, 0), 0)).toBe(0x07)
  })

  it('bits 6 and 7 keep their level as inputs for 350,000 cycles', () => {
    const port = writePort(drive(0xc0, 1_000), DIRECTION, 0x3f, 2_000)
    expect(portLevels(port, 351_999) & 0xc0).toBe(0xc0)
    expect(portLevels(port, 352_000) & 0xc0).toBe(0)
  })

  it('bit 3 keeps its level for good, and bit 5 falls at once', () => {
    expect(portLevels(writePort(drive(0xff), DIRECTION, 0x00, 0), 10_000_000)).toBe(0x1f)
  })

  it('a write to an input is kept until it becomes an output', () => {
    const port = writePort(writePort(resetPort(), DIRECTION, 0xf8, 0), DATA, 0x00, 0)
    expect(portLevels(port, 0) & 0x07).toBe(0x07)
    expect(portLevels(writePort(port, DIRECTION, 0xff, 0), 0) & 0x07).toBe(0)
  })
})
