/** Every kind of device, and the machine that speaks to it. */
import type { Space } from '@shared/contract/memory'
import type { Machine } from '../../src-main/machine/machine'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startStubPeer } from '../peers/stubProcess'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import { startUltimate } from '../peers/ultimateProcess'
import { startViceMonitorPeer } from '../peers/viceMonitorProcess'
import { attachedMachine, memoryNotes } from '../vice/support'

const allowed = () => ({ budget: 0.5, sideEffects: false })
const tcp = (port: number) => ({ kind: 'tcp', host: '127.0.0.1', port }) as const

export const ultimateAt = (port: number): Machine =>
  createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort: 1,
    notes: memoryNotes(),
    allowed,
  })
export const teensyRomAt = (port: number): Machine =>
  createTeensyRomMachine({ name: `teensyrom:127.0.0.1:${port}`, link: tcp(port), allowed })
export const stubAt = (port: number): Machine =>
  createStubMachine({ name: `stub:127.0.0.1:${port}`, link: tcp(port), allowed })

interface PlayedDevice {
  readonly port: number
  /** Its device takes everything and answers nothing. */
  setSilent(silent: boolean): Promise<void>
  stop(): Promise<void>
}

export interface DeviceKind {
  readonly name: string
  readonly space: Space
  readonly start: () => Promise<PlayedDevice>
  readonly machineAt: (port: number) => Machine
  /** So many broken lines in a row; how a device is recognised takes its time on some. */
  readonly breaks: number
}

/** A device of each kind, played by a peer in a process of its own. */
export const deviceKinds: readonly DeviceKind[] = [
  {
    name: 'an Ultimate',
    space: 'cpu',
    breaks: 400,
    machineAt: ultimateAt,
    start: async () => {
      const peer = await startUltimate()
      return {
        port: peer.ports.rest,
        setSilent: (silent) => peer.change({ restFault: silent ? 'wedged' : null }),
        stop: () => peer.stop(),
      }
    },
  },
  {
    name: 'a VICE',
    space: 'ram',
    breaks: 400,
    machineAt: attachedMachine,
    // From 3.9 on it is sampled without being asked for: what nobody asks anything cannot be found to be silent.
    start: async () => {
      const peer = await startViceMonitorPeer({ frameRate: 1_000, version: '3.10' })
      return {
        port: peer.port,
        setSilent: (silent) => peer.change({ silentAfter: silent ? 0 : null }),
        stop: () => peer.stop(),
      }
    },
  },
  {
    name: 'a stub',
    space: 'ram',
    breaks: 160,
    machineAt: stubAt,
    start: async () => {
      const peer = await startStubPeer()
      return { port: peer.port, setSilent: (silent) => peer.change({ silent }), stop: () => peer.stop() }
    },
  },
  {
    name: 'a TeensyROM',
    space: 'cpu',
    breaks: 40,
    machineAt: teensyRomAt,
    start: async () => {
      const peer = await startTeensyRomPeer()
      return { port: peer.port, setSilent: (silent) => peer.change({ silent }), stop: () => peer.stop() }
    },
  },
]
