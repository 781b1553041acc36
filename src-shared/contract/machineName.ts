import { AppError } from './errors'
import { describeKind, isMachineKind, machineKinds, type MachineKind } from './machineKinds'

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

interface SerialAddress {
  readonly device: string
  readonly baud: number
}

/** Where the bytes of a device go: a TCP port, or a serial line. */
export type LinkAddress = ({ readonly kind: 'tcp' } & HostAndPort) | ({ readonly kind: 'serial' } & SerialAddress)

export interface MachineAddress {
  readonly kind: MachineKind
  /** Null for a machine of this computer that is named by its kind alone. */
  readonly link: LinkAddress | null
}

const LOCAL_HOST = '127.0.0.1'

export const machineNamesHint = `Machines are named ${machineKinds
  .map((kind, index) => `${index === machineKinds.length - 1 ? 'and ' : ''}${describeKind(kind).names}`)
  .join(', ')}.`

/** What a machine's name says, as {@link machineNamesHint} spells them; an IPv6 host stands in brackets. */
export function readMachineName(name: string): MachineAddress | undefined {
  const colon = name.indexOf(':')
  const [kind, rest] = colon < 0 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)]
  if (!isMachineKind(kind)) return undefined
  const { alone } = describeKind(kind)
  if (rest === null) return alone ? { kind, link: null } : undefined
  const link = readSerial(kind, rest) ?? readTcp(kind, rest)
  return link && { kind, link }
}

/** As {@link readMachineName}, but throws AppError INVALID with how machines are named. */
export function parseMachineName(name: string): MachineAddress {
  const address = readMachineName(name)
  if (address) return address
  throw new AppError('INVALID', `“${name.slice(0, 200)}” is not the name of a machine.`, { hint: machineNamesHint })
}

/** The one name of a machine that can be written in several ways: `vice:localhost` is `vice:6502`. */
export function canonicalMachineName({ kind, link }: MachineAddress): string {
  if (link === null) return kind
  return `${kind}:${link.kind === 'tcp' ? spellTcp(kind, link) : spellSerial(kind, link)}`
}

function spellTcp(kind: MachineKind, { host, port }: HostAndPort): string {
  const { tcp } = describeKind(kind)
  if (tcp?.local && host === LOCAL_HOST) return String(port)
  const spelled = host.includes(':') ? `[${host}]` : host
  return port === tcp?.defaultPort && !tcp.local ? spelled : `${spelled}:${port}`
}

function spellSerial(kind: MachineKind, { device, baud }: SerialAddress): string {
  return baud === describeKind(kind).serial?.baud ? device : `${device}@${baud}`
}

/** A serial device as the system names it: `/dev/ttyUSB0`, `COM3`. */
function readSerial(kind: MachineKind, text: string): LinkAddress | undefined {
  const { serial } = describeKind(kind)
  if (!serial) return undefined
  const [, device = text, speed] = (serial.baudInName && /^(.+)@(\d{2,7})$/.exec(text)) || []
  const baud = speed === undefined ? serial.baud : Number(speed)
  const [, windows] = /^(?:\\\\\.\\)?(COM\d{1,3})$/i.exec(device) ?? []
  if (windows !== undefined) return { kind: 'serial', device: windows.toUpperCase(), baud }
  return /^\/[^\0]+$/.test(device) ? { kind: 'serial', device, baud } : undefined
}

function readTcp(kind: MachineKind, text: string): LinkAddress | undefined {
  const { tcp } = describeKind(kind)
  if (!tcp) return undefined
  const isPort = tcp.local && /^\d+$/.test(text)
  const address = isPort ? withPort(LOCAL_HOST, text) : readHostAndPort(text, tcp.defaultPort)
  return address && { kind: 'tcp', ...address }
}

function readHostAndPort(text: string, defaultPort?: number): HostAndPort | undefined {
  const [, host, port = defaultPort?.toString()] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d+))?$/.exec(text) ?? []
  if (host === undefined || port === undefined) return undefined
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return withPort(bare === 'localhost' ? LOCAL_HOST : bare, port)
}

function withPort(host: string, text: string): HostAndPort | undefined {
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? { host, port } : undefined
}
