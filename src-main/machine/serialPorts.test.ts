import { describe, expect, it } from 'vitest'
import { describePort, listSerialPorts } from './serialPorts'
import type { SystemPort } from './systemPort'

const teensy: SystemPort = {
  path: '/dev/ttyACM0',
  manufacturer: 'Teensyduino',
  product: 'Dual Serial',
  vendorId: '16c0',
  productId: '0489',
}
const adapter: SystemPort = { path: '/dev/ttyUSB0', vendorId: '1a86', productId: '7523', product: 'USB Serial' }
const kungFu: SystemPort = {
  path: 'COM5',
  manufacturer: 'Kim Jorgensen',
  vendorId: '0483',
  productId: '5740',
  friendlyName: 'Kung Fu Flash (COM5)',
}

describe('a serial port', () => {
  it('is told by its vendor and product', () => {
    expect(describePort(adapter)).toMatchObject({
      device: '/dev/ttyUSB0',
      vendor: 'WCH',
      product: 'USB Serial',
      board: null,
    })
    expect(describePort(teensy)).toMatchObject({ vendor: 'Teensyduino', product: 'Dual Serial' })
    expect(describePort({ path: 'COM1' })).toMatchObject({ vendor: null, product: null, board: null })
  })

  it('is recognised as the board at it, and can be taken for another all the same', () => {
    expect(describePort(teensy)).toMatchObject({
      board: 'TeensyROM',
      machines: ['teensyrom:/dev/ttyACM0', 'stub:/dev/ttyACM0', 'easyflash:/dev/ttyACM0'],
    })
    expect(describePort(kungFu)).toMatchObject({
      board: 'Kung Fu Flash',
      machines: ['easyflash:COM5', 'stub:COM5', 'teensyrom:COM5'],
    })
    expect(describePort(adapter).machines[0]).toBe('stub:/dev/ttyUSB0')
  })

  it('is not recognised by numbers that others use too', () => {
    expect(describePort({ ...kungFu, friendlyName: 'STMicroelectronics Virtual COM Port (COM5)' }).board).toBeNull()
  })

  it('tells what a device says of itself in one short line', () => {
    const { vendor } = describePort({ path: 'COM9', manufacturer: `evil\r\n\u0007${'x'.repeat(500)}` })
    expect(vendor).toMatch(/^evil x+$/)
    expect(vendor?.length).toBeLessThanOrEqual(100)
  })
})

describe('the list of ports', () => {
  it('has the boards first, then the others by their names', async () => {
    const ports = [{ path: '/dev/ttyUSB10', vendorId: '0403' }, adapter, teensy]
    expect((await listSerialPorts(() => Promise.resolve(ports))).map(({ device }) => device)).toEqual([
      '/dev/ttyACM0',
      '/dev/ttyUSB0',
      '/dev/ttyUSB10',
    ])
  })

  it('that the system cannot make says so, and what can be done', async () => {
    await expect(listSerialPorts(() => Promise.reject(new Error('EACCES')))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: 'Serial ports cannot be listed here.',
      hint: expect.stringMatching(/teensyrom:\/dev/) as string,
    })
  })
})
