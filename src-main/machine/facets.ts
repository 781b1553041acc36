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

export type Unsupported<Offered extends Capability> = Readonly<Record<Exclude<Capability, Offered>, string>>

export type Offering<Offered extends Capability> = Pick<Facets, (typeof facetOf)[Offered & FacetCapability]> & {
  /** A connected device may lack more than its driver. */
  readonly unsupported: Unsupported<Offered> & Readonly<Partial<Record<Offered, string>>>
}

export interface ExecutionControl {
  pause(signal: AbortSignal): Promise<void>
  resume(signal: AbortSignal): Promise<void>
  /** `soft` pulls the CPU's reset line, `power` also clears RAM and chips. */
  reset(kind: 'soft' | 'power', signal: AbortSignal): Promise<void>
}

export interface SteppingControl {
  /** Steps `count` instructions and stays paused; `over` counts a JSR with everything it calls as one. */
  step(count: number, over: boolean, signal: AbortSignal): Promise<void>
  /** Runs at least one instruction; resolves once it runs, not when it pauses there. */
  runTo(to: RunTarget, signal: AbortSignal): Promise<void>
}

/** @throws AppError CONFLICT where the drive is off */
export interface DriveMemoryAccess {
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
   * `path` is for machines that read host files themselves; `song` is given only where the machine chooses among a SID
   * file's songs.
   * @returns whether the first instruction or BASIC line ran, once known; nothing where the machine does not tell
   */
  run(program: ProgramFile, signal: AbortSignal): Promise<boolean | undefined> | Promise<void>
  /** False with Bridgedeck's own ROMs, which run only a few statements; missing where there is a BASIC. */
  hasBasic?(): boolean
  readonly choosesSongs?: boolean
  /** Whether RAM keeps what was loaded before; elsewhere it switches the machine off and on first. */
  readonly keepsMemory?: boolean
  refuses?(): Readonly<Partial<Record<ProgramFileKind, string>>>
}

export interface ProgramFile {
  readonly name: string
  readonly title?: string | undefined
  readonly path: string
  readonly bytes: Uint8Array
  readonly song?: number | undefined
}

export interface TypingControl {
  typeText(text: string, signal: AbortSignal): Promise<void>
}

export interface KeyControl {
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
  readonly names?: readonly NamedAddress[]
}

export interface CheckpointControl {
  list(signal: AbortSignal): Promise<Checkpoint[]>
  set(checkpoint: WantedCheckpoint, signal: AbortSignal): Promise<Checkpoint>
  delete(number: number, signal: AbortSignal): Promise<void>
  enable(number: number, enabled: boolean, signal: AbortSignal): Promise<void>
}

export interface CheckpointLogAccess {
  read(after: number, signal: AbortSignal): Promise<Logged[]>
}

export interface WriteNotes {
  list(): NotedByte[]
  /** Resolves to null, or to why writes cannot be seen now, so that samples have to do. */
  note(address: number, signal: AbortSignal): Promise<string | null>
  end(address: number, signal: AbortSignal): Promise<void>
}

export interface SlowMotionControl {
  run(slow: SlowMotion, signal: AbortSignal): Promise<void>
}

export interface TracingControl {
  /** Leaves the machine standing. @param frames how far at most; null for no limit */
  trace(count: number, frames: number | null, signal: AbortSignal): Promise<Trace>
}

export interface InterruptAccess {
  follow(frames: number, signal: AbortSignal): Promise<Interrupts>
}

export interface VideoFrameAccess {
  /**
   * The next whole frame. A machine that stood runs for it and stands again.
   * @throws AppError CONFLICT where it stopped before the frame began, BUSY while it is followed otherwise
   */
  follow(signal: AbortSignal): Promise<VideoFrame>
}

export interface RasterFrameAccess {
  /** As {@link VideoFrameAccess.follow}. */
  follow(signal: AbortSignal): Promise<RasterFrame>
}

export interface ProfilingControl {
  profile(frames: number, signal: AbortSignal): Promise<Profile>
  /** @param seconds of the machine's time; null for since it was started */
  coverage(seconds: number | null, signal: AbortSignal): Promise<Touched>
}

export interface TimeTravelControl {
  /** @param beforeEnd cycles before the end of the recorded time */
  goTo(beforeEnd: number, signal: AbortSignal): Promise<void>
  back(unit: BackUnit, count: number, signal: AbortSignal): Promise<void>
  /** Rejects with NOT_FOUND where no checkpoint was hit. */
  toCheckpoint(signal: AbortSignal): Promise<void>
  /** Rejects with NOT_FOUND where nothing wrote the byte in the recorded time. */
  toWrite(address: number, signal: AbortSignal): Promise<void>
  toLeftFuture(signal: AbortSignal): Promise<void>
  byteHistory(address: number, signal: AbortSignal): Promise<ByteHistory>
  inputs(signal: AbortSignal): Promise<PastInputs>
  /** Does not stop the machine. */
  point(signal: AbortSignal): Promise<PastPoint>
  /**
   * Another future begins there.
   * @throws AppError CONFLICT where the point is not in its past any more
   */
  returnTo(point: PastPoint, signal: AbortSignal): Promise<void>
}

export interface PastPoint {
  readonly clock: number
  readonly inputs: number
  readonly future: string
}

export interface StateControl {
  /**
   * The whole state in the driver's own format.
   * @param past seconds of its past saved with it
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
  mount(drive: string, image: { name: string; bytes: Uint8Array }, mode: MountMode, signal: AbortSignal): Promise<void>
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

export interface FileControl {
  list(path: string, signal: AbortSignal): Promise<MachineFile[]>
  /** @param song of a SID file, from 1 */
  run(path: string, signal: AbortSignal, song?: number): Promise<void>
}

export interface TransferControl {
  read(path: string, signal: AbortSignal, onBytes?: OnBytes): Promise<Uint8Array>
  /** @throws AppError CONFLICT where the file exists and may not be replaced */
  write(path: string, bytes: Uint8Array, replace: boolean, signal: AbortSignal, onBytes?: OnBytes): Promise<void>
}

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
  set(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void>
  onAudio(listener: (block: AudioBlock) => void): Unsubscribe
}
