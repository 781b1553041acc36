import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listLinuxPorts } from './linuxPorts'
import { describePort } from './serialPorts'

/** The folders of the kernel as far as they matter here. */
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridgedeck-sys-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, files: Record<string, string>): string {
  const folder = join(root, 'sys', path)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`)
  return folder
}

function addTty(name: string, device: string | undefined, files: Record<string, string> = {}): void {
  const folder = write(`class/tty/${name}`, files)
  if (device !== undefined) symlinkSync(device, join(folder, 'device'))
}

describe('the ports of a Linux computer', () => {
  it('are told with the names that USB has for them', async () => {
    write('devices/pci0/usb1/1-4', {
      idVendor: '16c0',
      idProduct: '0489',
      manufacturer: 'Teensyduino',
      product: 'TeensyROM',
    })
    addTty('ttyACM0', write('devices/pci0/usb1/1-4/1-4:1.0', {}))
    write('devices/pci0/usb1/1-5', { idVendor: '1a86', idProduct: '7523', product: 'USB Serial' })
    addTty('ttyUSB0', write('devices/pci0/usb1/1-5/1-5:1.0/ttyUSB0', {}))
    const ports = (await listLinuxPorts(root)).map(describePort)
    expect(ports).toEqual([
      expect.objectContaining({
        device: '/dev/ttyACM0',
        vendor: 'Teensyduino',
        product: 'TeensyROM',
        board: 'TeensyROM',
      }),
      expect.objectContaining({ device: '/dev/ttyUSB0', vendor: 'WCH', product: 'USB Serial', board: null }),
    ])
  })

  it('are those that have a chip behind them', async () => {
    const platform = write('devices/platform/serial8250', {})
    addTty('console', undefined)
    addTty('tty0', undefined)
    addTty('ttyS0', platform, { type: '4' })
    addTty('ttyS1', platform, { type: '0' })
    addTty('ttyprintk', platform)
    expect(await listLinuxPorts(root)).toEqual([{ path: '/dev/ttyS0' }])
  })

  it('are told by their names alone where the kernel’s folders are not there', async () => {
    mkdirSync(join(root, 'dev'))
    for (const name of ['ttyUSB0', 'ttyACM1', 'ttyS0', 'null']) writeFileSync(join(root, 'dev', name), '')
    expect((await listLinuxPorts(root)).map(({ path }) => path).sort()).toEqual(['/dev/ttyACM1', '/dev/ttyUSB0'])
  })

  it('are not made up where nothing can be read', async () => {
    await expect(listLinuxPorts(join(root, 'nowhere'))).rejects.toThrow()
  })
})
