import { z } from 'zod'
import { planes, type Plane } from '@shared/contract/ports'
import type { BridgeSide, Line } from '../rpc/transport'

/** Electron's `utilityProcess`, or `child_process.fork` under the stand-in Electron. */
export function processTransport(): BridgeSide | undefined {
  const parent = parentPort()
  if (parent) return utilityProcessSide(parent)
  return process.send ? forkedNodeSide() : undefined
}

/** Electron's types give every process a parent port; only its utility processes have one. */
const parentPort = (): Electron.ParentPort | undefined => process.parentPort

function utilityProcessSide(parent: Electron.ParentPort): BridgeSide {
  const ports: ((plane: Plane, line: Line) => void)[] = []
  const messages: ((message: unknown) => void)[] = []
  parent.on('message', ({ data, ports: [port] }: { data: unknown; ports: Electron.MessagePortMain[] }) => {
    const plane = portSchema.safeParse(data).data?.plane
    if (port && plane) for (const listener of ports) listener(plane, portLine(port))
    else for (const listener of messages) listener(data)
  })
  return {
    peer: 'supervisor',
    control: {
      post: (message) => parent.postMessage(message),
      onMessage: (listener) => void messages.push(listener),
      // Electron ends a utility process together with its parent.
      onClose: () => undefined,
      close: () => undefined,
    },
    onPort: (listener) => void ports.push(listener),
  }
}

const portSchema = z.object({ kind: z.literal('port'), plane: z.enum(planes) })

function portLine(port: Electron.MessagePortMain): Line {
  return {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', ({ data }) => listener(data))
      port.start()
    },
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  }
}

/** Line 0 is the control line; main numbers the ports from 1. */
const envelopeSchema = z.object({
  line: z.int().min(0),
  message: z.unknown().optional(),
  open: z.enum(planes).optional(),
  closed: z.literal(true).optional(),
})

function forkedNodeSide(): BridgeSide {
  const ports: ((plane: Plane, line: Line) => void)[] = []
  const lines = new Map<number, { deliver(message: unknown): void; closed(): void }>()

  function openLine(number: number): Line {
    const messages: ((message: unknown) => void)[] = []
    const closes: (() => void)[] = []
    lines.set(number, {
      deliver: (message) => messages.forEach((listener) => listener(message)),
      closed: () => closes.forEach((listener) => listener()),
    })
    return {
      post: (message) => {
        if (process.connected) process.send?.({ line: number, message })
      },
      onMessage: (listener) => void messages.push(listener),
      onClose: (listener) => void closes.push(listener),
      close() {
        lines.delete(number)
        if (process.connected) process.send?.({ line: number, closed: true })
      },
    }
  }

  const control = openLine(0)
  process.on('message', (raw) => {
    const envelope = envelopeSchema.safeParse(raw).data
    if (!envelope) return
    const { line, message, open, closed } = envelope
    if (open) {
      const port = openLine(line)
      for (const listener of ports) listener(open, port)
    } else if (closed) {
      lines.get(line)?.closed()
      lines.delete(line)
    } else {
      lines.get(line)?.deliver(message)
    }
  })
  process.on('disconnect', () => {
    for (const line of lines.values()) line.closed()
  })
  return { control, peer: 'supervisor', onPort: (listener) => void ports.push(listener) }
}
