import type { BackUnit, ByteHistory, PastInputs } from '@shared/contract/timeTravel'
import type { Checkpoint, Logged } from '@shared/contract/checkpoints'
import type { Capability, SlowMotion, StreamKind, VideoStandard } from '@shared/contract/machine'
import type {
  ConfigurationItem,
  Drive,
  MachineFile,
  driveModes,
  flashActions,
  mountModes,
} from '@shared/contract/machineStorage'
import type { Interrupts, NotedByte, Profile, RunTarget, Touched, Trace } from '@shared/contract/running'
import type { RasterFrame } from '@shared/contract/rasterFrame'
import type { VideoFrame } from '@shared/contract/videoFrame'
import type { DriveSpace, Picture, Register } from '@shared/contract/memory'
import type { ProgramFileKind } from '@shared/programFiles'
import type { NamedAddress } from '@shared/c64/labels/names'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import type { Unsubscribe } from './listeners'

/** The optional parts of a machine. Every method rejects with an AppError and honours its signal. */
export interface Facets {
  readonly execution: ExecutionControl
  readonly stepping: SteppingControl
  readonly driveMemory: DriveMemoryAccess
  readonly registers: RegisterAccess
  readonly speed: SpeedControl
  readonly programs: ProgramControl
  readonly typing: TypingControl
  readonly keys: KeyControl
  readonly joystick: JoystickControl
  readonly display: DisplayAccess
  readonly checkpoints: CheckpointControl
  readonly checkpointLog: CheckpointLogAccess
  readonly slowMotion: SlowMotionControl
  readonly tracing: TracingControl
  readonly interrupts: InterruptAccess
  readonly videoFrames: VideoFrameAccess
  readonly rasterFrames: RasterFrameAccess
  readonly profiling: ProfilingControl
  readonly timeTravel: TimeTravelControl
  readonly state: StateControl
  readonly resources: ResourceAccess
  readonly process: ProcessControl
  readonly power: PowerControl
  readonly drives: DriveControl
  readonly configuration: ConfigurationControl
  readonly files: FileControl
  readonly transfers: TransferControl
  readonly images: ImageControl
  readonly streams: StreamControl
}

/** The facet that carries out each capability. Capabilities without one belong to reading, writing and sampling. */
export const facetOf = {
  driveMemory: 'driveMemory',
  registers: 'registers',
  setRegisters: 'registers',
  pause: 'execution',
  step: 'stepping',
  reset: 'execution',
  warp: 'speed',
  standard: 'speed',
  runProgram: 'programs',
  typeText: 'typing',
  keyMatrix: 'keys',
  joystick: 'joystick',
  picture: 'display',
  checkpoints: 'checkpoints',
  logPoints: 'checkpointLog',
  slowMotion: 'slowMotion',
  trace: 'tracing',
  interrupts: 'interrupts',
  videoFrame: 'videoFrames',
  rasterFrame: 'rasterFrames',
  profile: 'profiling',
  timeTravel: 'timeTravel',
  saveState: 'state',
  resources: 'resources',
  quit: 'process',
  reboot: 'power',
  powerOff: 'power',
  menuButton: 'power',
  drives: 'drives',
  configuration: 'configuration',
  files: 'files',
  folders: 'files',
  transferFiles: 'transfers',
  createImage: 'images',
  runFile: 'files',
  videoStream: 'streams',
  audioStream: 'streams',
  debugStream: 'streams',
} as const satisfies Partial<Record<Capability, keyof Facets>>

export type FacetCapability = keyof typeof facetOf
export type FacetFor<Name extends FacetCapability> = NonNullable<Partial<Facets>[(typeof facetOf)[Name]]>

/** Why each capability that a driver does not offer is missing; a forgotten one does not compile. */
export type Unsupported<Offered extends Capability> = Readonly<Record<Exclude<Capability, Offered>, string>>

/** The facets of the capabilities that a driver offers, and a reason for each other capability. */
export type Offering<Offered extends Capability> = Pick<Facets, (typeof facetOf)[Offered & FacetCapability]> & {
  /** A connected device may lack more than its driver. */
  readonly unsupported: Unsupported<Offered> & Readonly<Partial<Record<Offered, string>>>
}

export interface ExecutionControl {
  pause(signal: AbortSignal): Promise<void>
  resume(signal: AbortSignal): Promise<void>
  /** `soft` pulls the CPU's reset line, `power` also forgets RAM and chips. */
  reset(kind: 'soft' | 'power', signal: AbortSignal): Promise<void>
}

export interface SteppingControl {
  /** Steps `count` instructions and stays paused; `over` counts a JSR with all it calls as one. */
  step(count: number, over: boolean, signal: AbortSignal): Promise<void>
  /** Lets it run, at least one instruction, until it pauses there; resolves once it runs. */
  runTo(to: RunTarget, signal: AbortSignal): Promise<void>
}

/** @throws AppError CONFLICT where the drive is off */
export interface DriveMemoryAccess {
  /** Reads without side effects on the drive. */
  read(drive: DriveSpace, range: { address: number; length: number }, signal: AbortSignal): Promise<Uint8Array>
  write(drive: DriveSpace, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>
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
  /**
   * Runs a program file. `path` is for machines that read host files themselves; `song` is given only where the machine
   * chooses among the songs of a SID file.
   * @returns whether its first instruction or BASIC line ran, once that is known; nothing where the machine does not tell
   */
  run(program: ProgramFile, signal: AbortSignal): Promise<boolean | undefined> | Promise<void>
  /** False for a machine with Bridgedeck’s own ROMs, which run a few statements only. Missing where it has a BASIC. */
  hasBasic?(): boolean
  readonly choosesSongs?: boolean
  /** Whether RAM keeps what was loaded before; elsewhere it switches the machine off and on first. */
  readonly keepsMemory?: boolean
  /** For each kind of file that it does not run, one sentence that says why. */
  refuses?(): Readonly<Partial<Record<ProgramFileKind, string>>>
}

export interface ProgramFile {
  /** Of the file that is run: its ending tells what it is. */
  readonly name: string
  /** What people know it as, where that is another. */
  readonly title?: string | undefined
  readonly path: string
  readonly bytes: Uint8Array
  /** From 1. */
  readonly song?: number | undefined
}

export interface TypingControl {
  /** Types text as if at the keyboard, as fast as the machine accepts it. */
  typeText(text: string, signal: AbortSignal): Promise<void>
}

export interface KeyControl {
  /** The whole set of keys held down. */
  setKeys(keys: readonly C64Key[], signal: AbortSignal): Promise<void>
}

export interface JoystickControl {
  setJoystick(port: 1 | 2, inputs: readonly JoystickInput[], signal: AbortSignal): Promise<void>
}

export interface DisplayAccess {
  read(signal: AbortSignal): Promise<Picture>
  /** The machine's sixteen colours, 0xRRGGBB; missing or null where it has no palette of its own. */
  palette?(signal: AbortSignal): Promise<number[] | null>
}

export type WantedCheckpoint = Omit<Checkpoint, 'number' | 'hits'> & {
  /** What its condition and its message use; what every C64 has is known without. */
  readonly names?: readonly NamedAddress[]
}

export interface CheckpointControl {
  list(signal: AbortSignal): Promise<Checkpoint[]>
  set(checkpoint: WantedCheckpoint, signal: AbortSignal): Promise<Checkpoint>
  delete(number: number, signal: AbortSignal): Promise<void>
  enable(number: number, enabled: boolean, signal: AbortSignal): Promise<void>
}

/** For machines whose checkpoints log and count. */
export interface CheckpointLogAccess {
  /** Of the lines that are kept, those after the given one. */
  read(after: number, signal: AbortSignal): Promise<Logged[]>
}

/** For machines that can see a write as it happens, but keep none. */
export interface WriteNotes {
  list(): NotedByte[]
  /** Resolves to why it cannot see them now, so that samples have to do; null where it can. */
  note(address: number, signal: AbortSignal): Promise<string | null>
  end(address: number, signal: AbortSignal): Promise<void>
}

export interface SlowMotionControl {
  /** Until it is paused or resumed. */
  run(slow: SlowMotion, signal: AbortSignal): Promise<void>
}

export interface TracingControl {
  /** Leaves the machine standing. @param frames how far at most; null for no limit */
  trace(count: number, frames: number | null, signal: AbortSignal): Promise<Trace>
}

export interface InterruptAccess {
  /** Of whole frames, from the next one on. */
  follow(frames: number, signal: AbortSignal): Promise<Interrupts>
}

export interface VideoFrameAccess {
  /**
   * Of the next whole frame. A machine that stood runs for it and stands again.
   * @throws AppError CONFLICT where it stopped before the frame began, BUSY while it is followed otherwise
   */
  follow(signal: AbortSignal): Promise<VideoFrame>
}

export interface RasterFrameAccess {
  /** Of the next whole frame, as {@link VideoFrameAccess.follow}. */
  follow(signal: AbortSignal): Promise<RasterFrame>
}

/** For machines whose every instruction can be seen while they run. */
export interface ProfilingControl {
  profile(frames: number, signal: AbortSignal): Promise<Profile>
  /** @param seconds of the machine's time; null since it was started */
  coverage(seconds: number | null, signal: AbortSignal): Promise<Touched>
}

/** Each but the last leaves the machine standing. */
export interface TimeTravelControl {
  /** @param beforeEnd cycles before the end of the time that is kept */
  goTo(beforeEnd: number, signal: AbortSignal): Promise<void>
  back(unit: BackUnit, count: number, signal: AbortSignal): Promise<void>
  /** Rejects with NOT_FOUND where no checkpoint was come upon. */
  toCheckpoint(signal: AbortSignal): Promise<void>
  /** Rejects with NOT_FOUND where nothing wrote the byte in the time that is kept. */
  toWrite(address: number, signal: AbortSignal): Promise<void>
  toLeftFuture(signal: AbortSignal): Promise<void>
  /** Does not stop the machine. */
  byteHistory(address: number, signal: AbortSignal): Promise<ByteHistory>
  /** Does not stop the machine. */
  inputs(signal: AbortSignal): Promise<PastInputs>
  /** Where it stands or runs, to return to. Does not stop the machine. */
  point(signal: AbortSignal): Promise<PastPoint>
  /**
   * To a point of its past, from where it has another future.
   * @throws AppError CONFLICT where it is not in its past any more
   */
  returnTo(point: PastPoint, signal: AbortSignal): Promise<void>
}

export interface PastPoint {
  /** Cycles since the machine was made. */
  readonly clock: number
  /** What it had been given at this very clock. */
  readonly inputs: number
  /** The future that it was in. */
  readonly future: string
}

export interface StateControl {
  /**
   * The machine's whole state in the driver's own format.
   * @param past how many seconds of its time before are saved with it
   */
  save(past: number, signal: AbortSignal): Promise<Uint8Array>
  load(state: Uint8Array, signal: AbortSignal): Promise<void>
}

export interface ResourceAccess {
  get(name: string, signal: AbortSignal): Promise<string | number>
  set(name: string, value: string | number, signal: AbortSignal): Promise<void>
}

export interface ProcessControl {
  quit(signal: AbortSignal): Promise<void>
}

export interface PowerControl {
  reboot(signal: AbortSignal): Promise<void>
  powerOff(signal: AbortSignal): Promise<void>
  pressMenuButton(signal: AbortSignal): Promise<void>
}

type DriveMode = (typeof driveModes)[number]
type MountMode = (typeof mountModes)[number]

export interface DriveControl {
  list(signal: AbortSignal): Promise<Drive[]>
  /** Puts an image into a drive; its file extension tells the kind of image. */
  mount(drive: string, image: { name: string; bytes: Uint8Array }, mode: MountMode, signal: AbortSignal): Promise<void>
  /** As {@link mount}, from the machine's own storage. */
  mountStored(drive: string, path: string, mode: MountMode, signal: AbortSignal): Promise<void>
  remove(drive: string, signal: AbortSignal): Promise<void>
  setMode(drive: string, mode: DriveMode, signal: AbortSignal): Promise<void>
  setEnabled(drive: string, enabled: boolean, signal: AbortSignal): Promise<void>
  reset(drive: string, signal: AbortSignal): Promise<void>
  loadRom(drive: string, rom: { name: string; bytes: Uint8Array }, signal: AbortSignal): Promise<void>
}

export interface ConfigurationControl {
  categories(signal: AbortSignal): Promise<string[]>
  read(category: string, signal: AbortSignal): Promise<ConfigurationItem[]>
  set(category: string, item: string, value: string | number, signal: AbortSignal): Promise<void>
  /** @param category null for all */
  keep(action: (typeof flashActions)[number], category: string | null, signal: AbortSignal): Promise<void>
}

/** The machine's own storage, with the machine's own paths. */
export interface FileControl {
  /** The entries of a folder where the machine can list folders, or the one file that the path names. */
  list(path: string, signal: AbortSignal): Promise<MachineFile[]>
  /** @param song of a SID file, from 1 */
  run(path: string, signal: AbortSignal, song?: number): Promise<void>
}

export interface TransferControl {
  read(path: string, signal: AbortSignal, onBytes?: OnBytes): Promise<Uint8Array>
  /** @throws AppError CONFLICT where a file is there already and may not be replaced */
  write(path: string, bytes: Uint8Array, replace: boolean, signal: AbortSignal, onBytes?: OnBytes): Promise<void>
}

/** How many bytes of a transfer have passed so far. */
export type OnBytes = (bytes: number) => void

export interface ImageControl {
  /** Creates an empty disk image; the path's extension tells its kind. */
  create(path: string, title: string, signal: AbortSignal): Promise<void>
}

/** About 20 ms of sound; left and right samples alternate. */
export interface AudioBlock {
  /** Counts every block, lost ones included. */
  readonly seq: number
  /** Samples per second and channel; not a whole number on real machines. */
  readonly rate: number
  readonly samples: Int16Array
}

export interface StreamControl {
  /** Pictures and accesses arrive as samples, sound as blocks. */
  set(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void>
  onAudio(listener: (block: AudioBlock) => void): Unsubscribe
}
