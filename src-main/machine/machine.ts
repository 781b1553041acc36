import type { Capabilities, Capability, MachineState, SamplingMode } from '@shared/contract/machine'
import type { MachineKind } from '@shared/contract/machineKinds'
import { capabilities as allCapabilities, capabilitiesSchema } from '@shared/contract/machine'
import type { Frame } from '@shared/contract/frames'
import type { MemoryRun, Space } from '@shared/contract/memory'
import { AppError } from '@shared/contract/errors'
import type { ProgramFileKind } from '@shared/programFiles'
import { facetOf, type FacetCapability, type FacetFor, type Facets, type WriteNotes } from './facets'
import type { Unsubscribe } from './listeners'

export type MachineStatus = Pick<
  MachineState,
  'title' | 'connection' | 'reason' | 'hint' | 'execution' | 'standard' | 'speed' | 'warp' | 'version' | 'notices'
> &
  Partial<Pick<MachineState, 'streams' | 'stop' | 'slow' | 'past' | 'replaying' | 'logged' | 'warnings'>>

export const idleStatus = (title: string): MachineStatus => ({
  title,
  connection: 'idle',
  reason: null,
  hint: null,
  execution: 'unknown',
  standard: null,
  speed: null,
  warp: false,
  version: null,
  notices: [],
})

export type Sample = Pick<Frame, 'time' | 'segments' | 'registers' | 'picture' | 'accesses'> & {
  /** Share of the machine's time that taking this sample cost, 0 to 1. */
  readonly cost?: number
}

export interface SampleRequest {
  readonly mode: SamplingMode
  /** Samples per second for `free`, at most one a frame; `lockStep` has one each frame. */
  readonly rate: number
  readonly spaces: readonly Space[]
  readonly picture: boolean
}

export const noSamples: SampleRequest = { mode: 'off', rate: 0, spaces: [], picture: false }

export interface MemoryRange {
  readonly space: Space
  readonly address: number
  /** Bytes, 1 to 65536; address + length is at most 65536. */
  readonly length: number
}

/**
 * A C64. Everything beyond the mandatory part is a facet; where a driver has none, `unsupported` says why. Every method
 * rejects with an AppError and honours its signal.
 */
export interface Machine extends Partial<Facets> {
  readonly name: string
  readonly kind: MachineKind
  readonly unsupported: Readonly<Partial<Record<Capability, string>>>

  readonly writeNotes?: WriteNotes
  readonly needsConnection?: boolean
  readonly status: MachineStatus
  onStatus(listener: () => void): Unsubscribe
  onSample(listener: (sample: Sample) => void): Unsubscribe

  /**
   * @param password for machines that ask for one; kept for this connection only
   * @throws AppError FORBIDDEN where the password is missing or wrong
   */
  connect(signal: AbortSignal, password?: string): Promise<void>
  disconnect(): Promise<void>
  /**
   * For a machine that ran on while this computer slept: drops what may be out of date, restarts the streams, and
   * resolves once the machine answers. Missing where the machine slept too.
   */
  wake?(signal: AbortSignal): Promise<void>
  /**
   * What a reconnection finds: a restarted machine, or one resumed from its last saved state. `unknown` (the default)
   * for a machine that runs without Bridgedeck.
   */
  readonly afterLoss?: 'restarted' | 'resumed' | 'unknown'
  /**
   * True where sampling can disturb somebody else's program (a running VICE below 3.9): it then starts only on request.
   */
  readonly samplesOnRequestOnly?: boolean
  readonly samplingRisk?: string | undefined
  /** Mode `off` costs the machine nothing, except that connecting delivers one sample. */
  setSampling(request: SampleRequest): Promise<void>
  readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array>
  writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>
  /** All within one stop; missing where each is a request of its own. */
  writeRuns?(runs: readonly MemoryRun[], signal: AbortSignal): Promise<void>
}

export async function writeRuns(machine: Machine, runs: readonly MemoryRun[], signal: AbortSignal): Promise<void> {
  if (machine.writeRuns) await machine.writeRuns(runs, signal)
  else for (const { space, address, bytes } of runs) await machine.writeMemory(space, address, bytes, signal)
}

/** @throws AppError UNSUPPORTED with the reason where this machine lacks it */
export function requireFacet<Name extends FacetCapability>(machine: Machine, capability: Name): FacetFor<Name> {
  const facet: Machine[(typeof facetOf)[Name]] = machine[facetOf[capability]]
  const reason = machine.unsupported[capability]
  if (facet === undefined || reason !== undefined) {
    throw new AppError('UNSUPPORTED', reason ?? `${machine.status.title} cannot do this.`, { details: { capability } })
  }
  return facet
}

export function describeProgramFiles({ programs, unsupported }: Machine): MachineState['programFiles'] {
  const refused = programs?.refuses?.() ?? {}
  const why = (kind: ProgramFileKind) => unsupported.runProgram ?? refused[kind] ?? null
  return {
    prg: why('prg'),
    cartridge: why('cartridge'),
    disk: why('disk'),
    tape: why('tape'),
    snapshot: why('snapshot'),
    music: why('music'),
  }
}

export function describeCapabilities(machine: Machine): Capabilities {
  return capabilitiesSchema.parse(
    Object.fromEntries(allCapabilities.map((name) => [name, machine.unsupported[name] ?? null])),
  )
}
