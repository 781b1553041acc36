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

export type LinkAddress = ({ readonly kind: 'tcp' } & HostAndPort) | ({ readonly kind: 'serial' } & SerialAddress)

export interface MachineAddress {
  readonly kind: MachineKind
  readonly link: LinkAddress | null
}

const LOCAL_HOST = '127.0.0.1'

const UNUSED_PORT = 1

export const machineNamesHint = `Machines are named ${machineKinds
  .map((kind, index) => `${index === machineKinds.length - 1 ? 'and ' : ''}${describeKind(kind).names}`)
  .join(', ')}.`

export const machineNameStarts: readonly string[] = machineKinds
  .filter((kind) => describeKind(kind).tcp ?? describeKind(kind).serial)
  .map((kind) => `${kind}:`)

/** Format as in {@link machineNamesHint}; an IPv6 host is in brackets. */
export function readMachineName(name: string): MachineAddress | undefined {
  const colon = name.indexOf(':')
  const [kind, rest] = colon < 0 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)]
  if (!isMachineKind(kind)) return undefined
  const { alone } = describeKind(kind)
  if (rest === null) return alone ? { kind, link: null } : undefined
  const link = readSerial(kind, rest) ?? readTcp(kind, rest)
  return link && { kind, link }
}

/** Such as `192.168.1.64`, `c64u` or `desk:6502`; null for a port that is not named. */
export function readPlainAddress(text: string): { readonly host: string; readonly port: number | null } | undefined {
  if (readMachineName(text)) return undefined
  const named = readHostAndPort(text)
  if (named) return named
  const bare = readHostAndPort(text, UNUSED_PORT)
  return bare && { host: bare.host, port: null }
}

/** As {@link readMachineName}. @throws AppError INVALID for anything but a machine's name */
export function parseMachineName(name: string): MachineAddress {
  const address = readMachineName(name)
  if (address) return address
  throw new AppError('INVALID', `“${name.slice(0, 200)}” is not a machine name.`, { hint: machineNamesHint })
}

/** One name for several spellings: `vice:localhost` becomes `vice:6502`. */
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
  const isDefault = baud === describeKind(kind).serial?.baud
  return isDefault && !endsWithBaud.test(device) ? device : `${device}@${baud}`
}

const endsWithBaud = /^(.+)@(\d{2,7})$/

function readSerial(kind: MachineKind, text: string): LinkAddress | undefined {
  const { serial } = describeKind(kind)
  if (!serial) return undefined
  const [, device = text, speed] = (serial.baudInName && endsWithBaud.exec(text)) || []
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
