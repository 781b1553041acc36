import type { Plane } from '@shared/contract/ports'

/**
 * How the bridge process and its host communicate: over a `utilityProcess` (the product), in memory (tests), or with a forked
 * Node (only under the stand-in Electron, whose own Node is too old for SQLite).
 */

/** One end of a two-way line. Messages arrive in order, and none after `onClose`. */
export interface Line {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
  close(): void
}

export interface BridgeSide {
  readonly control: Line
  /** The supervisor is main, which has parsed the page's inputs already. */
  readonly peer: 'supervisor' | 'client'
  onPort(listener: (plane: Plane, line: Line) => void): void
}

/** Messages are cloned, as between processes. */
export function memoryLine(): [Line, Line] {
  const one = end()
  const other = end()
  one.peer = other
  other.peer = one
  return [one.line, other.line]
}

interface End {
  peer: End | undefined
  readonly line: Line
  deliver(message: unknown): void
  closed(): void
}

function end(): End {
  let messages: ((message: unknown) => void)[] = []
  let closes: (() => void)[] = []
  let open = true
  const self: End = {
    peer: undefined,
    deliver(message) {
      if (open) for (const listener of messages) listener(message)
    },
    closed() {
      if (!open) return
      open = false
      for (const listener of closes) listener()
      messages = []
      closes = []
    },
    line: {
      post(message) {
        if (!open) return
        const copy: unknown = structuredClone(message)
        queueMicrotask(() => self.peer?.deliver(copy))
      },
      onMessage: (listener) => void messages.push(listener),
      onClose: (listener) => void closes.push(listener),
      close() {
        const { peer } = self
        self.closed()
        queueMicrotask(() => peer?.closed())
      },
    },
  }
  return self
}

export function memoryTransport(peer: BridgeSide['peer'] = 'client'): {
  bridge: BridgeSide
  control: Line
  openPort(plane: Plane): Line
} {
  const [hostControl, bridgeControl] = memoryLine()
  const listeners: ((plane: Plane, line: Line) => void)[] = []
  return {
    bridge: { control: bridgeControl, peer, onPort: (listener) => void listeners.push(listener) },
    control: hostControl,
    openPort(plane) {
      const [host, bridge] = memoryLine()
      for (const listener of listeners) listener(plane, bridge)
      return host
    },
  }
}
