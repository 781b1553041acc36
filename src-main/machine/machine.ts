import type {
  Capabilities,
  Capability,
  Checkpoint,
  ConfigurationItem,
  Drive,
  MachineFile,
  MachineKind,
  MachineState,
  SamplingMode,
  StreamKind,
  VideoStandard,
  driveModes,
  mountModes,
} from '@shared/contract/machine'
import { capabilities as allCapabilities, capabilitiesSchema } from '@shared/contract/machine'
import type { Frame } from '@shared/contract/frames'
import type { Picture, Register, Space } from '@shared/contract/memory'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import { AppError } from '@shared/contract/errors'

export type Unsubscribe = () => void

/** What a driver says of its machine. `MachineState` in the contract is this plus what the manager measures. */
export type MachineStatus = Pick<
  MachineState,
  'title' | 'connection' | 'reason' | 'hint' | 'execution' | 'standard' | 'speed' | 'warp' | 'version' | 'notices'
> &
  Partial<Pick<MachineState, 'streams'>>

/** Of a machine that is not connected. */
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

/** Those who want to hear of one thing. */
export class Listeners<Argument = void> {
  readonly #listeners = new Set<(argument: Argument) => void>()

  readonly add = (listener: (argument: Argument) => void): Unsubscribe => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(argument: Argument): void {
    for (const listener of this.#listeners) listener(argument)
  }
}

/** A sample as the driver took it; the manager numbers it and makes it a {@link Frame}. */
export type Sample = Pick<Frame, 'time' | 'segments' | 'registers' | 'picture' | 'accesses'> & {
  /** Share of the machine's time that taking this sample cost, 0 to 1. */
  readonly cost?: number
}

/** What the views and the recorder want of each sample, joined. */
export interface SampleWish {
  readonly mode: SamplingMode
  /** Samples per second for `free`; a machine that produces frames itself (built-in, lock-step) ignores it. */
  readonly rate: number
  readonly spaces: readonly Space[]
  readonly picture: boolean
}

export interface MemoryRange {
  readonly space: Space
  readonly address: number
  /** Bytes, 1 to 65536; address + length is at most 65536. */
  readonly length: number
}

/**
 * One C64 that we talk to. The mandatory part is small; everything else is a facet that a driver has or has not, and
 * `limits` says why not. Every method rejects with an AppError and honours its signal.
 */
export interface Machine {
  readonly name: string
  readonly kind: MachineKind
  /** Why a capability is missing, in one sentence, for each one that is. */
  readonly limits: Partial<Record<Capability, string>>

  readonly status: MachineStatus
  onStatus(listener: () => void): Unsubscribe
  onSample(listener: (sample: Sample) => void): Unsubscribe

  /**
   * `password` is for machines that ask for one; it is given anew at each connection, and kept no longer than that.
   * @throws AppError FORBIDDEN where the machine wants a password that was not given, or another one.
   */
  connect(signal: AbortSignal, password?: string): Promise<void>
  disconnect(): Promise<void>
  /**
   * This computer slept, and the machine did not: resolves once the machine answers, with nothing kept that may be old by
   * now, and its streams running anew. A machine that does not answer shows so as it always does: silent or lost. Missing
   * where the machine slept too.
   */
  wake?(signal: AbortSignal): Promise<void>
  /**
   * What a connection finds that follows a lost one: a machine that the connection itself starts anew, or one that goes
   * on from its last kept state. Nobody can tell it (as when it is missing) of a machine that is somebody else's.
   */
  readonly afterLoss?: 'startedAnew' | 'resumed' | 'unknown'
  /** True where sampling can disturb the program (VICE below 3.9): then it starts only when the person asks. */
  readonly samplesOnRequestOnly?: boolean
  /** Nothing wanted (`off`) must cost the machine nothing; connecting still delivers one sample. */
  setSampling(wish: SampleWish): Promise<void>
  /** Reads without side effects on the machine. */
  readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array>
  writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>

  readonly execution?: ExecutionControl
  readonly registers?: RegisterAccess
  readonly speed?: SpeedControl
  readonly programs?: ProgramControl
  readonly input?: InputControl
  readonly display?: DisplayAccess
  readonly checkpoints?: CheckpointControl
  readonly state?: StateControl
  readonly resources?: ResourceAccess
  readonly process?: ProcessControl
  readonly power?: PowerControl
  readonly drives?: DriveControl
  readonly configuration?: ConfigurationControl
  readonly files?: FileControl
  readonly streams?: StreamControl
}

export interface ExecutionControl {
  pause(signal: AbortSignal): Promise<void>
  resume(signal: AbortSignal): Promise<void>
  /** Steps `count` instructions and stays paused; `over` counts a JSR with all it calls as one. */
  step(count: number, over: boolean, signal: AbortSignal): Promise<void>
  /** `soft` pulls the CPU's reset line, `power` also forgets RAM and chips. */
  reset(kind: 'soft' | 'power', signal: AbortSignal): Promise<void>
}

export interface RegisterAccess {
  read(signal: AbortSignal): Promise<Register[]>
  write(name: string, value: number, signal: AbortSignal): Promise<Register[]>
}

export interface SpeedControl {
  setWarp(warp: boolean, signal: AbortSignal): Promise<void>
  setStandard(standard: VideoStandard, signal: AbortSignal): Promise<void>
}

export interface ProgramControl {
  /** Runs a program file. `name` is shown to the person; `path` is for machines that read host files themselves. */
  run(program: { name: string; path: string; bytes: Uint8Array }, signal: AbortSignal): Promise<void>
}

export interface InputControl {
  /** Types text as if at the keyboard, at the speed that the machine takes it. */
  typeText(text: string, signal: AbortSignal): Promise<void>
  /** The whole set of keys held down. Missing where the machine takes typed text only. */
  setKeys?(keys: readonly C64Key[], signal: AbortSignal): Promise<void>
  setJoystick?(port: 1 | 2, inputs: readonly JoystickInput[], signal: AbortSignal): Promise<void>
}

export interface DisplayAccess {
  read(signal: AbortSignal): Promise<Picture>
  /** The sixteen colours as the machine itself shows them, 0xRRGGBB; missing or null where it tells none. */
  palette?(signal: AbortSignal): Promise<number[] | null>
}

export interface CheckpointControl {
  list(signal: AbortSignal): Promise<Checkpoint[]>
  set(checkpoint: Omit<Checkpoint, 'number' | 'hits'>, signal: AbortSignal): Promise<Checkpoint>
  delete(number: number, signal: AbortSignal): Promise<void>
  enable(number: number, enabled: boolean, signal: AbortSignal): Promise<void>
}

export interface StateControl {
  /** The machine's whole state in the driver's own format. */
  save(signal: AbortSignal): Promise<Uint8Array>
  load(state: Uint8Array, signal: AbortSignal): Promise<void>
}

export interface ResourceAccess {
  get(name: string, signal: AbortSignal): Promise<string | number>
  set(name: string, value: string | number, signal: AbortSignal): Promise<void>
}

export interface ProcessControl {
  quit(signal: AbortSignal): Promise<void>
}

/** Each is there if its capability is. */
export interface PowerControl {
  readonly reboot?: (signal: AbortSignal) => Promise<void>
  readonly powerOff?: (signal: AbortSignal) => Promise<void>
  readonly pressMenuButton?: (signal: AbortSignal) => Promise<void>
}

export type DriveMode = (typeof driveModes)[number]
export type MountMode = (typeof mountModes)[number]

export interface DriveControl {
  list(signal: AbortSignal): Promise<Drive[]>
  /** Puts an image into a drive; the ending of its name says which kind of image it is. */
  mount(drive: string, image: { name: string; bytes: Uint8Array }, mode: MountMode, signal: AbortSignal): Promise<void>
  remove(drive: string, signal: AbortSignal): Promise<void>
  setMode(drive: string, mode: DriveMode, signal: AbortSignal): Promise<void>
  setEnabled(drive: string, enabled: boolean, signal: AbortSignal): Promise<void>
  reset(drive: string, signal: AbortSignal): Promise<void>
}

export interface ConfigurationControl {
  categories(signal: AbortSignal): Promise<string[]>
  read(category: string, signal: AbortSignal): Promise<ConfigurationItem[]>
  set(category: string, item: string, value: string | number, signal: AbortSignal): Promise<void>
}

/** The machine's own storage, by the machine's own paths. */
export interface FileControl {
  /** What a folder holds, where the machine can list folders, or what one file is. */
  list(path: string, signal: AbortSignal): Promise<MachineFile[]>
  readonly createImage?: (path: string, title: string, signal: AbortSignal) => Promise<void>
  readonly run?: (path: string, signal: AbortSignal) => Promise<void>
}

/** What a machine without a storage that we reach lacks, for that reason. */
export const withoutStorage = (why: string) =>
  ({ files: why, folders: why, createImage: why, runFile: why }) as const satisfies Partial<Record<Capability, string>>

/** 20 ms of sound, give or take; left and right samples by turns. */
export interface AudioBlock {
  /** +1 for each block, also for those that were lost. */
  readonly seq: number
  /** Samples per second and channel; not a whole number on real machines. */
  readonly rate: number
  readonly samples: Int16Array
}

export interface StreamControl {
  /** Pictures and accesses come as samples, sound as blocks. */
  set(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void>
  onAudio(listener: (block: AudioBlock) => void): Unsubscribe
}

/** Why an emulator has nothing of what only a device beside a real C64 does. */
export const emulatorLimits = {
  reboot: 'Only a real machine’s cartridge is rebooted; an emulator is reset.',
  powerOff: 'An emulator is not switched off; disconnect or quit it.',
  menuButton: 'The menu button is the Ultimate’s.',
  drives: 'Bridgedeck works the drives of an Ultimate only.',
  configuration: 'Bridgedeck reads the configuration of an Ultimate only.',
  ...withoutStorage('An emulator’s files are this computer’s own.'),
  videoStream: 'An emulator’s picture comes with each sample.',
  audioStream: 'Only an Ultimate sends its sound.',
  debugStream: 'Only an Ultimate 64 tells every access of its bus.',
} as const satisfies Partial<Record<Capability, string>>

type FacetName =
  | 'execution'
  | 'registers'
  | 'speed'
  | 'programs'
  | 'input'
  | 'display'
  | 'checkpoints'
  | 'state'
  | 'resources'
  | 'process'
  | 'power'
  | 'drives'
  | 'configuration'
  | 'files'
  | 'streams'

/** The facet, or the refusal that says why this machine has none. */
export function facet<Name extends FacetName>(
  machine: Machine,
  name: Name,
  capability: Capability,
): NonNullable<Machine[Name]> {
  const found: Machine[Name] = machine[name]
  const limit = machine.limits[capability]
  if (found === undefined || limit !== undefined) {
    throw new AppError('UNSUPPORTED', limit ?? `${machine.status.title} cannot do this.`, { details: { capability } })
  }
  return found
}

export function describeCapabilities(machine: Machine): Capabilities {
  return capabilitiesSchema.parse(
    Object.fromEntries(allCapabilities.map((name) => [name, machine.limits[name] ?? null])),
  )
}
