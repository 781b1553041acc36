import { AppError } from './errors'

export type MachineAddress =
  | { readonly kind: 'builtin' }
  /** `attach` is null for a VICE that we start ourselves. */
  | { readonly kind: 'vice'; readonly attach: { readonly host: string; readonly port: number } | null }

/** VICE's own default for its binary monitor. */
const DEFAULT_VICE_PORT = 6502
const LOCAL_HOST = '127.0.0.1'

/** What a machine's name says: `builtin`, `vice`, `vice:port`, `vice:host`, `vice:host:port` (an IPv6 host in brackets). */
export function readMachineName(name: string): MachineAddress | undefined {
  const colon = name.indexOf(':')
  const [kind, rest] = colon < 0 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)]
  if (kind === 'builtin' && rest === null) return { kind: 'builtin' }
  if (kind !== 'vice') return undefined
  if (rest === null) return { kind: 'vice', attach: null }
  const attach = readHostAndPort(rest)
  return attach && { kind: 'vice', attach }
}

/** As {@link readMachineName}, but throws AppError INVALID with how machines are named. */
export function parseMachineName(name: string): MachineAddress {
  const address = readMachineName(name)
  if (address) return address
  throw new AppError('INVALID', `“${name.slice(0, 200)}” is not the name of a machine.`, {
    hint: 'Machines are named builtin, vice (start one), vice:PORT or vice:HOST:PORT (attach to a running one).',
  })
}

/** The one name of a machine that can be written in several ways: `vice:localhost` is `vice:6502`. */
export function canonicalMachineName(address: MachineAddress): string {
  if (address.kind === 'builtin') return 'builtin'
  if (address.attach === null) return 'vice'
  const { host, port } = address.attach
  if (host === LOCAL_HOST) return `vice:${port}`
  return host.includes(':') ? `vice:[${host}]:${port}` : `vice:${host}:${port}`
}

function readHostAndPort(text: string): { host: string; port: number } | undefined {
  if (/^\d+$/.test(text)) return withPort(LOCAL_HOST, text)
  const [, host, port] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(\d+))?$/.exec(text) ?? []
  if (host === undefined) return undefined
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return withPort(bare === 'localhost' ? LOCAL_HOST : bare, port ?? String(DEFAULT_VICE_PORT))
}

function withPort(host: string, text: string): { host: string; port: number } | undefined {
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? { host, port } : undefined
}
