import { z } from 'zod'
import type { Port } from '@shared/contract/connections'
import { AppError } from '@shared/contract/errors'
import { canonicalMachineName, readMachineName, type MachineAddress } from '@shared/contract/machineName'
import { listLinuxPorts } from './linuxPorts'

const text = z.string().optional().catch(undefined)

const systemPortSchema = z.object({
  path: z.string().min(1),
  manufacturer: text,
  vendorId: text,
  productId: text,
  /** On Linux alone. */
  product: text,
  /** On Windows alone. */
  friendlyName: text,
})
/** What a system tells of a port; USB's numbers in hex. */
export type SystemPort = z.infer<typeof systemPortSchema>

type SerialKind = Extract<MachineAddress, { link: unknown }>['kind']

/** Boards by what USB says of them; the words must stand somewhere in it where others use the same numbers. */
const boards: readonly { ids: string; says?: RegExp; title: string; kind: SerialKind }[] = [
  { ids: '16c0:0489', title: 'TeensyROM', kind: 'teensyrom' },
  { ids: '16c0:0483', says: /teensyrom/i, title: 'TeensyROM', kind: 'teensyrom' },
  // The numbers that its maker gives every board with such a port.
  { ids: '0483:5740', says: /kung.?fu/i, title: 'Kung Fu Flash', kind: 'easyflash' },
]

/** Makers of the usual serial adapters, whose names not every system tells. */
const makers: Readonly<Partial<Record<string, string>>> = {
  '0403': 'FTDI',
  '0483': 'STMicroelectronics',
  '067b': 'Prolific',
  '10c4': 'Silicon Labs',
  '16c0': 'Teensy',
  '1a86': 'WCH',
}

/** An adapter or a port of the computer is likeliest to have a SwiftLink at its other end. */
const likelihood: readonly SerialKind[] = ['stub', 'teensyrom', 'easyflash']

/** A port in words, with the machines that it may be, the likeliest first. */
export function describePort(port: SystemPort): Port {
  const { path, vendorId = '', productId = '', manufacturer, product, friendlyName } = port
  const ids = `${vendorId}:${productId}`.toLowerCase()
  const said = [manufacturer, product, friendlyName].join(' ')
  const board = boards.find((candidate) => candidate.ids === ids && (candidate.says?.test(said) ?? true))
  const kinds = board ? [board.kind, ...likelihood.filter((kind) => kind !== board.kind)] : likelihood
  return {
    device: path,
    vendor: inLine(manufacturer) ?? makers[vendorId.toLowerCase()] ?? null,
    product: inLine(product) ?? inLine(friendlyName),
    board: board?.title ?? null,
    machines: kinds.flatMap((kind) => {
      const address = readMachineName(`${kind}:${path}`)
      return address ? [canonicalMachineName(address)] : []
    }),
  }
}

/** What a device says of itself: one line, not too long; null for nothing. */
function inLine(text: string | undefined): string | null {
  const line = (text ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
  return line === '' ? null : line
}

/**
 * The serial ports of this computer. @throws AppError UNSUPPORTED where the system cannot list them: a port can be named all
 * the same.
 */
export async function listSerialPorts(list: () => Promise<readonly SystemPort[]> = systemPorts): Promise<Port[]> {
  try {
    const ports = (await list()).map(describePort)
    return ports.sort(
      (a, b) =>
        Number(b.board !== null) - Number(a.board !== null) ||
        a.device.localeCompare(b.device, 'en', { numeric: true }),
    )
  } catch (error) {
    throw new AppError('UNSUPPORTED', 'Serial ports cannot be listed here.', {
      hint: 'Type the name of a machine with its port, such as teensyrom:/dev/ttyACM0.',
      cause: error,
    })
  }
}

async function systemPorts(): Promise<readonly SystemPort[]> {
  if (process.platform === 'linux') return listLinuxPorts()
  const { SerialPort } = await import('serialport')
  return z.array(systemPortSchema).parse(await SerialPort.list())
}
