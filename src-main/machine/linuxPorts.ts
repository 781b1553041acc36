/**
 * The serial ports of a Linux computer, read from the kernel's own folders. `serialport` starts the program udevadm for each
 * list, which is not there everywhere, tells no product names, and is too dear for a list that is made every few seconds.
 */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SystemPort } from './systemPort'

/** The USB device stands at most so many folders above its port. */
const DEPTH = 6

/** Ports by their names, where `/sys` is not there. */
const usualNames = /^tty(USB|ACM|AMA)\d+$/

/**
 * @param root for tests: where `sys` and `dev` are
 * @throws what the system says where neither folder can be read
 */
export async function listLinuxPorts(root = '/'): Promise<SystemPort[]> {
  const folder = join(root, 'sys/class/tty')
  const names = await readdir(folder).catch(() => undefined)
  if (names) return (await Promise.all(names.map((name) => portAt(join(folder, name), name)))).flat()
  return (await readdir(join(root, 'dev')))
    .filter((name) => usualNames.test(name))
    .map((name) => ({ path: `/dev/${name}` }))
}

async function portAt(folder: string, name: string): Promise<SystemPort[]> {
  // Consoles and pseudo terminals have no device behind them.
  const device = await realpath(join(folder, 'device')).catch(() => undefined)
  if (device === undefined) return []
  // A PC has names for 32 ports whether the chips are there or not; the driver calls an absent one type 0.
  if ((await line(folder, 'type')) === '0') return []
  const usb = await usbAbove(device)
  if (usb === undefined) return /^tty(S|USB|ACM|AMA|O|MFD)\d+$/.test(name) ? [{ path: `/dev/${name}` }] : []
  return [
    {
      path: `/dev/${name}`,
      vendorId: await line(usb, 'idVendor'),
      productId: await line(usb, 'idProduct'),
      manufacturer: await line(usb, 'manufacturer'),
      product: await line(usb, 'product'),
    },
  ]
}

async function usbAbove(device: string): Promise<string | undefined> {
  let folder = device
  for (let level = 0; level < DEPTH; level++) {
    if ((await line(folder, 'idVendor')) !== undefined) return folder
    folder = dirname(folder)
  }
  return undefined
}

async function line(folder: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  return text?.trim()
}
