import { AppError } from './errors'

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

/** Where the bytes of a serial device go: its own line, or a TCP port that stands for one. */
export type LinkAddress =
  ({ readonly kind: 'tcp' } & HostAndPort) | { readonly kind: 'serial'; readonly device: string; readonly baud: number }

export type MachineAddress =
  | { readonly kind: 'builtin' }
  /** `attach` is null for a VICE that we start ourselves. */
  | { readonly kind: 'vice'; readonly attach: HostAndPort | null }
  | ({ readonly kind: 'ultimate' } & HostAndPort)
  | { readonly kind: 'teensyrom' | 'easyflash' | 'stub'; readonly link: LinkAddress }

/** VICE's own default for its binary monitor. */
const DEFAULT_VICE_PORT = 6502
const DEFAULT_ULTIMATE_PORT = 80
const DEFAULT_TEENSYROM_PORT = 2112
/** A USB line takes any speed; this is what TeensyROM's own tools ask for. */
const TEENSYROM_BAUD = 2_000_000
const EASYFLASH_BAUD = 115_200
/** SwiftLink's fastest. */
const DEFAULT_STUB_BAUD = 38_400
const LOCAL_HOST = '127.0.0.1'

export const machineNamesHint =
  'Machines are named builtin, vice (start one), vice:PORT or vice:HOST:PORT (attach to a running one), ultimate:HOST, ' +
  'teensyrom:HOST or teensyrom:DEVICE, easyflash:DEVICE, and stub:DEVICE@BAUD or stub:HOST:PORT.'

/** What a machine's name says, as {@link machineNamesHint} spells them; an IPv6 host stands in brackets. */
export function readMachineName(name: string): MachineAddress | undefined {
  const colon = name.indexOf(':')
  const [kind, rest] = colon < 0 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)]
  if (rest === null) {
    if (kind === 'builtin') return { kind }
    return kind === 'vice' ? { kind, attach: null } : undefined
  }
  switch (kind) {
    case 'vice': {
      const attach = /^\d+$/.test(rest) ? withPort(LOCAL_HOST, rest) : readHostAndPort(rest, DEFAULT_VICE_PORT)
      return attach && { kind, attach }
    }
    case 'ultimate': {
      const address = readHostAndPort(rest, DEFAULT_ULTIMATE_PORT)
      return address && { kind, ...address }
    }
    case 'teensyrom':
      return withLink(kind, readDevice(rest, TEENSYROM_BAUD) ?? readTcp(rest, DEFAULT_TEENSYROM_PORT))
    case 'easyflash':
      return withLink(kind, readDevice(rest, EASYFLASH_BAUD))
    case 'stub':
      return withLink(kind, readDeviceAndBaud(rest) ?? readTcp(rest))
    default:
      return undefined
  }
}

/** As {@link readMachineName}, but throws AppError INVALID with how machines are named. */
export function parseMachineName(name: string): MachineAddress {
  const address = readMachineName(name)
  if (address) return address
  throw new AppError('INVALID', `“${name.slice(0, 200)}” is not the name of a machine.`, { hint: machineNamesHint })
}

/** The one name of a machine that can be written in several ways: `vice:localhost` is `vice:6502`. */
export function canonicalMachineName(address: MachineAddress): string {
  switch (address.kind) {
    case 'builtin':
      return 'builtin'
    case 'vice':
      if (address.attach === null) return 'vice'
      return address.attach.host === LOCAL_HOST ? `vice:${address.attach.port}` : `vice:${spellHost(address.attach)}`
    case 'ultimate':
      return `ultimate:${spellHost(address, DEFAULT_ULTIMATE_PORT)}`
    case 'teensyrom':
      return `teensyrom:${spellLink(address.link, DEFAULT_TEENSYROM_PORT)}`
    case 'easyflash':
      return `easyflash:${spellLink(address.link)}`
    case 'stub': {
      const { link } = address
      return `stub:${spellLink(link)}${link.kind === 'serial' && link.baud !== DEFAULT_STUB_BAUD ? `@${link.baud}` : ''}`
    }
  }
}

function spellHost({ host, port }: HostAndPort, defaultPort?: number): string {
  const spelt = host.includes(':') ? `[${host}]` : host
  return port === defaultPort ? spelt : `${spelt}:${port}`
}

const spellLink = (link: LinkAddress, defaultPort?: number): string =>
  link.kind === 'serial' ? link.device : spellHost(link, defaultPort)

function withLink(kind: 'teensyrom' | 'easyflash' | 'stub', link: LinkAddress | undefined): MachineAddress | undefined {
  return link && { kind, link }
}

/** A serial device as the system names it: `/dev/ttyUSB0`, `COM3`. */
function readDevice(text: string, baud: number): LinkAddress | undefined {
  const [, windows] = /^(?:\\\\\.\\)?(COM\d{1,3})$/i.exec(text) ?? []
  if (windows !== undefined) return { kind: 'serial', device: windows.toUpperCase(), baud }
  return /^\/[^\0]+$/.test(text) ? { kind: 'serial', device: text, baud } : undefined
}

function readDeviceAndBaud(text: string): LinkAddress | undefined {
  const [, device = text, baud] = /^(.+)@(\d{2,7})$/.exec(text) ?? []
  return readDevice(device, baud === undefined ? DEFAULT_STUB_BAUD : Number(baud))
}

function readTcp(text: string, defaultPort?: number): LinkAddress | undefined {
  const address = readHostAndPort(text, defaultPort)
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
