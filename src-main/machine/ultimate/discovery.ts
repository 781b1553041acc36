import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { parseTolerantJson, plainText } from './json'

const IDENT_PORT = 64

export interface FoundUltimate {
  readonly host: string
  readonly product: string
  readonly firmware: string | null
  readonly hostname: string | null
  readonly uniqueId: string | null
  readonly needsPassword: boolean
}

export interface DiscoveryOptions {
  readonly signal: AbortSignal
  readonly waitMs?: number
  readonly maxDevices?: number
  /** By default the broadcast addresses of this computer's networks. */
  readonly targets?: readonly string[]
  readonly port?: number
}

/** The question is repeated, as datagrams get lost. */
const REPEAT_INTERVAL_MS = 400

const text = z.string().transform(plainText)
const answerSchema = z.looseObject({
  product: text,
  firmware_version: text.optional(),
  hostname: text.optional(),
  unique_id: text.optional(),
  your_string: z.string(),
  password_protected: z.boolean().optional(),
})

export function parseIdent(datagram: Uint8Array, asked: string, host: string): FoundUltimate | undefined {
  const { data } = answerSchema.safeParse(parseTolerantJson(datagram))
  if (data?.your_string !== asked) return undefined
  return {
    host,
    product: data.product,
    firmware: data.firmware_version ?? null,
    hostname: data.hostname ?? null,
    uniqueId: data.unique_id ?? null,
    needsPassword: data.password_protected ?? false,
  }
}

export function discoverUltimates(options: DiscoveryOptions): Promise<FoundUltimate[]> {
  const { signal, waitMs = 1_500, maxDevices = Infinity, targets = broadcastAddresses(), port = IDENT_PORT } = options
  // The device repeats at most 32 characters.
  const asked = `bridgedeck-${Math.random().toString(36).slice(2, 12)}`
  const question = Buffer.from(`json${asked}`, 'latin1')
  const found = new Map<string, FoundUltimate>()
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    const ask = (): void => {
      for (const target of targets) socket.send(question, port, target, () => undefined)
    }
    const repeat = setInterval(ask, REPEAT_INTERVAL_MS)
    let hasEnded = false
    const end = (): void => {
      if (hasEnded) return
      hasEnded = true
      clearInterval(repeat)
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      socket.close(() =>
        resolve([...found.values()].sort((a, b) => a.host.localeCompare(b.host, 'en', { numeric: true }))),
      )
    }
    const timer = setTimeout(end, waitMs)
    signal.addEventListener('abort', end, { once: true })
    socket.on('error', () => undefined)
    socket.on('message', (datagram, { address }) => {
      const device = parseIdent(datagram, asked, address)
      if (device) found.set(device.uniqueId ?? address, device)
      if (found.size >= maxDevices) end()
    })
    socket.bind(0, () => {
      socket.setBroadcast(true)
      if (signal.aborted) end()
      else ask()
    })
  })
}

/** On most systems the limited broadcast reaches only one network, so each network's own broadcast address is added. */
function broadcastAddresses(): string[] {
  const networks = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
  return [...new Set(['255.255.255.255', ...networks.map(({ address, netmask }) => broadcastOf(address, netmask))])]
}

export function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, index) => Number(part) | (~(mask[index] ?? 0) & 0xff))
    .join('.')
}
