/**
 * Reads the serial ports from the kernel's folders. `serialport` runs udevadm for each list, which is not installed
 * everywhere, reports no product names, and is too slow for a list made every few seconds.
 */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SystemPort } from './systemPort'

const MAX_LEVELS_TO_USB = 6

/** On systems without `/sys`. */
const usualNames = /^tty(USB|ACM|AMA)\d+$/

/**
 * @param root for tests: where `sys` and `dev` are
 * @throws the file system's error where neither folder can be read
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
  // A PC lists 32 ports whether their chips exist or not; an absent one has type 0.
  if ((await readLine(folder, 'type')) === '0') return []
  const usb = await usbAbove(device)
  if (usb === undefined) return /^tty(S|USB|ACM|AMA|O|MFD)\d+$/.test(name) ? [{ path: `/dev/${name}` }] : []
  return [
    {
      path: `/dev/${name}`,
      vendorId: await readLine(usb, 'idVendor'),
      productId: await readLine(usb, 'idProduct'),
      manufacturer: await readLine(usb, 'manufacturer'),
      product: await readLine(usb, 'product'),
    },
  ]
}

async function usbAbove(device: string): Promise<string | undefined> {
  let folder = device
  for (let level = 0; level < MAX_LEVELS_TO_USB; level++) {
    if ((await readLine(folder, 'idVendor')) !== undefined) return folder
    folder = dirname(folder)
  }
  return undefined
}

async function readLine(folder: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  return text?.trim()
}
