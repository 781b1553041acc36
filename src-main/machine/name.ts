import { AppError } from '@shared/contract/errors'
import type { MachineKind } from '@shared/contract/machine'

export type MachineAddress =
  | { readonly kind: 'builtin' }
  /** `attach` is null for a VICE that we start ourselves. */
  | { readonly kind: 'vice'; readonly attach: { readonly host: string; readonly port: number } | null }

/** VICE's own default for its binary monitor. */
const DEFAULT_VICE_PORT = 6502

/**
 * Reads a machine's name: `builtin`, `vice`, `vice:port`, `vice:host`, `vice:host:port` (an IPv6 host in brackets).
 * @throws AppError INVALID with how machines are named.
 */
export function parseMachineName(name: string): MachineAddress {
  const [kind, rest] = splitOnce(name)
  if (kind === 'builtin' && rest === null) return { kind: 'builtin' }
  if (kind === 'vice' && rest === null) return { kind: 'vice', attach: null }
  if (kind === 'vice' && rest !== null) {
    const attach = parseHostAndPort(rest)
    if (attach) return { kind: 'vice', attach }
  }
  throw new AppError('INVALID', `“${name.slice(0, 200)}” is not the name of a machine.`, {
    hint: 'Machines are named builtin, vice (start one), vice:PORT or vice:HOST:PORT (attach to a running one).',
  })
}

export const machineKind = (name: string): MachineKind => parseMachineName(name).kind

function splitOnce(name: string): [string, string | null] {
  const colon = name.indexOf(':')
  return colon < 0 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)]
}

function parseHostAndPort(text: string): { host: string; port: number } | undefined {
  if (/^\d+$/.test(text)) return withPort('127.0.0.1', text)
  const match = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(\d+))?$/.exec(text)
  if (!match?.[1]) return undefined
  return withPort(match[1].replace(/^\[|\]$/g, ''), match[2] ?? String(DEFAULT_VICE_PORT))
}

function withPort(host: string, text: string): { host: string; port: number } | undefined {
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? { host, port } : undefined
}
