import type { PastPoint } from '../facets'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import type { BackUnit, ByteHistory, PastInputs } from '@shared/contract/timeTravel'
import type { Accesses, Segment } from '@shared/contract/frames'
import type { Checkpoint, Logged } from '@shared/contract/checkpoints'
import type {
  ChipModels,
  HistoryLimits,
  MachineState,
  SamplingMode,
  SlowMotion,
  VideoStandard,
} from '@shared/contract/machine'
import type { Picture, Register, Space } from '@shared/contract/memory'
import type { WantedCheckpoint } from '../facets'
import type { Interrupts, Profile, RunTarget, Touched, Trace } from '@shared/contract/running'
import type { RasterFrame } from '@shared/contract/rasterFrame'
import type { VideoFrame } from '@shared/contract/videoFrame'
import { defineProtocol, type Nothing } from '../../rpc/protocol'
import type { KeptCheckpoints } from './checkpoints'
import type { RomPaths } from './roms'

export interface StartInput {
  readonly resources: string
  readonly roms: RomPaths
  readonly standard: VideoStandard
  readonly models: ChipModels
  readonly history: HistoryLimits
  readonly statePath: string | null
  readonly autorun: string | null
  readonly checkpoints: KeptCheckpoints | undefined
}

export interface SamplingInput {
  readonly mode: SamplingMode
  /** Samples a second for `free`; `lockStep` has one a frame. */
  readonly rate: number
  readonly spaces: readonly Space[]
  readonly picture: boolean
}

interface BuiltinRequests {
  /** `hasBasic` is false with Bridgedeck's own ROMs, which run only a few statements. */
  start(input: StartInput): { notices: string[]; hasBasic: boolean }
  stop(input: Nothing): Nothing
  pause(input: Nothing): Nothing
  resume(input: Nothing): Nothing
  step(input: { readonly count: number; readonly over: boolean }): Nothing
  runTo(input: { readonly to: RunTarget }): Nothing
  profile(input: { readonly frames: number }): Profile
  interrupts(input: { readonly frames: number }): Interrupts
  videoFrame(input: Nothing): VideoFrame
  rasterFrame(input: Nothing): RasterFrame
  trace(input: { readonly count: number; readonly frames: number | null }): Trace
  coverage(input: { readonly seconds: number | null }): Touched
  slowly(input: SlowMotion): Nothing
  goTo(input: { readonly beforeEnd: number }): Nothing
  back(input: { readonly unit: BackUnit; readonly count: number }): Nothing
  toCheckpoint(input: Nothing): Nothing
  toWrite(input: { readonly address: number }): Nothing
  toLeftFuture(input: Nothing): Nothing
  byteHistory(input: { readonly address: number }): ByteHistory
  pastPoint(input: Nothing): PastPoint
  returnTo(input: PastPoint): Nothing
  pastInputs(input: Nothing): PastInputs
  reset(input: { readonly kind: 'soft' | 'power' }): Nothing
  setWarp(input: { readonly warp: boolean }): Nothing
  setStandard(input: { readonly standard: VideoStandard }): Nothing
  setSampling(input: SamplingInput): Nothing
  readMemory(input: { readonly space: Space; readonly address: number; readonly length: number }): Uint8Array
  writeMemory(input: { readonly space: Space; readonly address: number; readonly bytes: Uint8Array }): Nothing
  readRegisters(input: Nothing): Register[]
  writeRegister(input: { readonly name: string; readonly value: number }): Register[]
  runProgram(input: { readonly bytes: Uint8Array }): { started: boolean }
  typeText(input: { readonly text: string }): Nothing
  setKeys(input: { readonly keys: readonly C64Key[] }): Nothing
  setJoystick(input: { readonly port: 1 | 2; readonly inputs: readonly JoystickInput[] }): Nothing
  picture(input: Nothing): Picture
  /** @param past seconds before now that are saved with it */
  saveState(input: { readonly past: number }): Uint8Array
  listCheckpoints(input: Nothing): Checkpoint[]
  setCheckpoint(input: WantedCheckpoint): Checkpoint
  deleteCheckpoint(input: { readonly number: number }): Nothing
  checkpointLog(input: { readonly after: number }): Logged[]
  enableCheckpoint(input: { readonly number: number; readonly enabled: boolean }): Nothing
  loadState(input: { readonly state: Uint8Array }): Nothing
}

export interface WorkerStatus {
  readonly execution: MachineState['execution']
  readonly stop: MachineState['stop']
  /** Null where it was requested. */
  readonly reason: string | null
  readonly hint: string | null
  readonly standard: VideoStandard
  readonly speed: number | null
  readonly warp: boolean
  readonly slow: SlowMotion | null
  readonly past: MachineState['past']
  readonly replaying: MachineState['replaying']
  readonly logged: number
}

export interface WorkerSample {
  readonly time: number
  readonly segments: readonly Segment[]
  readonly registers: readonly Register[]
  readonly picture?: Picture
  readonly accesses?: Accesses
}

export interface BuiltinChannel {
  readonly requests: BuiltinRequests
  readonly posts: Nothing
  readonly notices: {
    readonly status: WorkerStatus
    readonly notice: string
    readonly checkpoints: KeptCheckpoints
    readonly sample: WorkerSample
  }
}

export const builtinProtocol = defineProtocol<BuiltinChannel>('The built-in C64')
