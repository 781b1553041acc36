import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { attachedMachine, read, soon, startVice, type RunningVice } from './support'

/** A ROM of a 1541 that counts in $10: at $C000, INC $10; JMP $C000. */
function countingRom(): Uint8Array {
  const rom = new Uint8Array(0x4000)
  rom.set([0xe6, 0x10, 0x4c, 0x00, 0xc0])
  rom.set([0x00, 0xc0], 0x3ffc)
  return rom
}

describe.skipIf(lacks('vice', 'xvfb'))('the memory of VICE’s drives', () => {
  let folder: string
  const cleanUps: (() => unknown)[] = []

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-drive-'))
    writeFileSync(join(folder, 'dos1541.bin'), countingRom())
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  async function attached(...options: string[]): Promise<Machine> {
    const rom = ['-dos1541', join(folder, 'dos1541.bin')]
    const vice: RunningVice = await startVice('x64sc', [...rom, ...options])
    const machine = attachedMachine(vice.port)
    cleanUps.push(
      () => vice.stop(),
      () => machine.disconnect(),
    )
    await machine.connect(soon())
    return machine
  }

  const drives = (machine: Machine) => requireFacet(machine, 'driveMemory')

  it('is read and written where a drive is on, apart from the C64’s', async () => {
    const machine = await attached('-drive8type', '1541', '-drive9type', '1541')
    const count = async () => (await drives(machine).read('drive8', { address: 0x10, length: 1 }, soon()))[0]
    const before = await count()
    await eventually(count).not.toBe(before)
    for (const [drive, value] of [
      ['drive8', 0x88],
      ['drive9', 0x99],
    ] as const)
      await drives(machine).write(drive, 0x0400, Uint8Array.of(value, 1, 2), soon())
    const bytes = await drives(machine).read('drive8', { address: 0x0400, length: 3 }, soon())
    expect([...bytes]).toEqual([0x88, 1, 2])
    expect([...(await drives(machine).read('drive9', { address: 0x0400, length: 1 }, soon()))]).toEqual([0x99])
    expect(await read(machine, 0x0400)).not.toEqual([0x88])
    expect(machine.status.execution).toBe('running')
  })

  it('is read whole, ROM included', async () => {
    const machine = await attached('-drive8type', '1541')
    const whole = await drives(machine).read('drive8', { address: 0, length: 0x10000 }, soon())
    expect(whole.length).toBe(0x10000)
    expect([...whole.subarray(0xc000, 0xc005)]).toEqual([0xe6, 0x10, 0x4c, 0x00, 0xc0])
  })

  it('is refused where the drive is off, or is not emulated', async () => {
    const machine = await attached('-drive8type', '1541', '+drive8truedrive')
    const range = { address: 0, length: 16 }
    await expect(drives(machine).read('drive8', range, soon())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('true drive emulation') as string,
    })
    await expect(drives(machine).read('drive11', range, soon())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Drive 11') as string,
    })
    await expect(drives(machine).write('drive9', 0, Uint8Array.of(1), soon())).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})
