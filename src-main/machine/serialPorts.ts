import { z } from 'zod'
import type { Port } from '@shared/contract/connections'
import { AppError } from '@shared/contract/errors'
import { describeKind, machineKinds } from '@shared/contract/machineKinds'
import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import { drivers } from './drivers'
import { listLinuxPorts } from './linuxPorts'
import { systemPortSchema, type SystemPort } from './systemPort'

const serialKinds = machineKinds.filter((kind) => describeKind(kind).serial !== undefined)

const boards = serialKinds.flatMap((kind) => (drivers[kind].boards ?? []).map((board) => ({ kind, ...board })))

/** Likeliest first: a kind without its own board is behind an adapter or a port of the computer. */
const kindsByLikelihood = serialKinds.toSorted(
  (a, b) => Number(drivers[a].boards !== undefined) - Number(drivers[b].boards !== undefined),
)

/** By vendor number; not every system reports the names. */
const makers: Readonly<Partial<Record<string, string>>> = {
  '0403': 'FTDI',
  '0483': 'STMicroelectronics',
  '067b': 'Prolific',
  '10c4': 'Silicon Labs',
  '16c0': 'Teensy',
  '1a86': 'WCH',
}

export function describePort(port: SystemPort): Port {
  const { path, vendorId = '', productId = '', manufacturer, product, friendlyName } = port
  const ids = `${vendorId}:${productId}`.toLowerCase()
  const texts = [manufacturer, product, friendlyName].join(' ')
  const board = boards.find((candidate) => candidate.ids === ids && (candidate.description?.test(texts) ?? true))
  const kinds = board ? [board.kind, ...kindsByLikelihood.filter((kind) => kind !== board.kind)] : kindsByLikelihood
  return {
    device: path,
    vendor: toOneLine(manufacturer) ?? makers[vendorId.toLowerCase()] ?? null,
    product: toOneLine(product) ?? toOneLine(friendlyName),
    board: board?.title ?? null,
    machines: kinds.flatMap((kind) => {
      const address = readMachineName(`${kind}:${path}`)
      return address ? [canonicalMachineName(address)] : []
    }),
  }
}

/** At most 100 characters; null without a description. */
function toOneLine(text: string | undefined): string | null {
  const line = (text ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
  return line === '' ? null : line
}

/** @throws AppError UNSUPPORTED where the system cannot list ports */
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
      hint: 'Type the machine’s name with its port, such as teensyrom:/dev/ttyACM0.',
      cause: error,
    })
  }
}

async function systemPorts(): Promise<readonly SystemPort[]> {
  if (process.platform === 'linux') return listLinuxPorts()
  const { SerialPort } = await import('serialport')
  return z.array(systemPortSchema).parse(await SerialPort.list())
}
