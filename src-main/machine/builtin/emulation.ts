/** The built-in C64 in time: paced, paused, sampled, saved. It lives in the worker and knows nothing of the driver. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { textToPetscii } from '@shared/c64/petscii'
import { AppError } from '@shared/contract/errors'
import type { Accesses } from '@shared/contract/frames'
import type { CiaModel, SlowMotion, VideoStandard } from '@shared/contract/machine'
import type { Profile, Trace } from '@shared/contract/running'
import { accessesSince, coverageOf } from './accesses'
import { bootToPrompt } from './autostart'
import { CheckpointLog } from './checkpointLog'
import { Checkpoints, type CheckpointHit } from './checkpoints'
import { C64, framePeriod, timings, type FollowedRun } from './c64'
import type { Notify, RequestHandlers } from '../../rpc/protocol'
import type { Follow, InstructionFollower } from './instructionFollower'
import type { BuiltinChannel, SamplingInput, StartInput, WorkerSample, WorkerStatus } from './messages'
import { Pacer, SpeedMeter } from './pacing'
import type { Roms } from './pla'
import { Profiler } from './profiler'
import { cyclesPerFrame } from './raster'
import { isPast } from './past/pastFile'
import { TimeTravel } from './past/timeTravel'
import { readRegisters } from './registers'
import { describeFileError, loadRoms } from './roms'
import { runTarget } from './runTarget'
import { readSpace, segmentOf } from './spaces'
import { MAX_TYPING, decodeState, encodeState, type MachineImage } from './state'
import { StateFile } from './stateFile'
import { Tracer } from './tracer'

/** How long is run before messages are looked at, in real time and in warp, and how often a sample goes out in warp, ms. */
const PACED_SLICE = 50
const WARP_SLICE = 4
const WARP_SAMPLE = 20
/** How often a machine in slow motion goes on at most, ms. */
const SLOW_TURN = 20
/** How often the speed is told and the state kept, ms. */
const SECOND = 1_000

interface Slow extends SlowMotion {
  readonly pacer: Pacer
}

const done = {}

const oneInstruction: InstructionFollower = { begin: () => undefined, end: () => true }

export class Emulation {
  readonly #notify: Notify<BuiltinChannel>
  #c64: C64 | undefined
  #timeTravel: TimeTravel | undefined
  #roms: Roms | undefined
  #stateFile: StateFile | undefined
  readonly #log = new CheckpointLog()
  readonly #checkpoints = new Checkpoints(
    (logged) => this.#log.add({ ...logged, clock: this.#machine.clock }),
    () => this.#tellCheckpoints(),
  )
  #execution: WorkerStatus['execution'] = 'running'
  /** Why it stands at a checkpoint; null when it was stopped for another reason. */
  #stop: WorkerStatus['stop'] = null
  #follow: Follow | undefined
  #slow: Slow | undefined
  #warp = false
  #speed: number | null = null
  #request: SamplingInput = { mode: 'off', spaces: [], picture: false }
  #pacer: Pacer | undefined
  /** Takes back the next turn. */
  #cancelTurn = (): void => undefined
  #lastSample = 0
  /** The clock from which the next sample tells what the CPU touched. */
  #accessesFrom = 0
  readonly #meter = new SpeedMeter()
  #everySecond: NodeJS.Timeout | undefined

  constructor(notify: Notify<BuiltinChannel>) {
    this.#notify = notify
  }

  readonly handlers: RequestHandlers<BuiltinChannel> = {
    start: (input) => this.#start(input),
    stop: async () => {
      this.#halt()
      clearInterval(this.#everySecond)
      this.#keepState()
      // With the hits that they have now.
      this.#tellCheckpoints()
      await this.#stateFile?.saved()
      return done
    },
    pause: () => {
      if (this.#execution === 'running') {
        this.#setExecution('paused')
        this.#keepState()
      }
      return done
    },
    resume: () => {
      this.#resume()
      return done
    },
    step: ({ count, over }) => {
      const c64 = this.#machine
      if (c64.jam !== null) throw jammed(c64)
      this.#halt()
      c64.step(count, over)
      this.#time.ran()
      this.#stand()
      return done
    },
    runTo: ({ to }) => {
      if (this.#follow?.onDropped) throw alreadyFollowed()
      this.#setFollow({ follower: runTarget(to, this.#machine), onDone: () => this.#setExecution('paused') })
      return done
    },
    slowly: (slow) => {
      if (this.#follow) throw alreadyFollowed()
      this.#resume()
      this.#slow = { ...slow, pacer: new Pacer(1000 / slow.perSecond, performance.now()) }
      this.#run()
      this.#tell()
      return done
    },
    trace: ({ count, frames }) => this.#trace(count, frames),
    profile: ({ frames }, signal) => this.#profile(frames, signal),
    coverage: ({ seconds }) => coverageOf(this.#machine, seconds),
    goTo: ({ beforeEnd }) =>
      this.#travel((time) => {
        time.goTo(time.span.end - beforeEnd)
        return null
      }),
    back: ({ unit, count }) =>
      this.#travel((time) => {
        time.back(unit, count)
        return null
      }),
    toCheckpoint: () => this.#travel((time) => time.toCheckpoint(this.#checkpoints)),
    toWrite: ({ address }) =>
      this.#travel((time) => {
        time.toWrite(address)
        return null
      }),
    toLeftFuture: () =>
      this.#travel((time) => {
        time.toLeftFuture()
        return null
      }),
    byteHistory: ({ address }) => this.#time.historyOf(address),
    pastInputs: () => this.#time.inputs,
    reset: ({ kind }) => {
      this.#time.input({ kind: 'reset', reset: kind })
      // A paused machine stays paused, at the first instruction after the reset.
      if (this.#execution === 'jammed') this.#setExecution('running')
      this.#forgetStop()
      this.#standingChanged()
      this.#run()
      return done
    },
    setWarp: ({ warp }) => {
      this.#warp = warp
      this.#pacer = undefined
      this.#restartMeasure()
      this.#run()
      this.#tell()
      return done
    },
    setStandard: ({ standard }) => {
      const image = this.#machine.save()
      if (image.chips.standard !== standard) this.#replace(standard, this.#machine.ciaModel, image)
      this.#restartMeasure()
      this.#standingChanged()
      this.#tell()
      return done
    },
    setSampling: (request) => {
      this.#request = request
      this.#accessesFrom = this.#machine.clock
      if (this.#execution !== 'running' || request.mode === 'off') this.#sample()
      return done
    },
    readMemory: ({ space, address, length }) => readSpace(this.#machine, space, address, length),
    writeMemory: ({ space, address, bytes }) => {
      this.#time.input({ kind: 'memory', space, address, bytes })
      this.#standingChanged()
      return done
    },
    readRegisters: () => readRegisters(this.#machine),
    writeRegister: ({ name, value }) => {
      this.#time.input({ kind: 'register', name, value })
      this.#standingChanged()
      return readRegisters(this.#machine)
    },
    runProgram: ({ bytes }) => {
      this.#time.input({ kind: 'program', file: bytes })
      this.#endSlowMotion()
      this.#restartMeasure()
      this.#setExecution('running')
      this.#run()
      return done
    },
    typeText: ({ text }) => {
      const keys = textToPetscii(text)
      if (this.#machine.typing + keys.length > MAX_TYPING) {
        throw new AppError('BUSY', 'The C64 has not yet taken the text that was typed before.', {
          hint: 'Wait until it has, or reset it.',
        })
      }
      this.#time.input({ kind: 'text', keys: [...keys] })
      return done
    },
    setKeys: ({ keys }) => {
      if (this.#machine.holdsKeys(keys)) return done
      this.#time.input({ kind: 'keys', keys })
      return done
    },
    setJoystick: ({ port, inputs }) => {
      if (this.#machine.holdsJoystick(port, inputs)) return done
      this.#time.input({ kind: 'joystick', port, inputs })
      return done
    },
    picture: () => this.#machine.picture(),
    saveState: ({ past }) => (past === 0 ? encodeState(this.#machine.save(), this.#usedRoms) : this.#time.toFile(past)),
    listCheckpoints: () => this.#checkpoints.list(),
    setCheckpoint: (checkpoint) => this.#checkpoints.set(checkpoint),
    checkpointLog: ({ after }) => this.#log.after(after),
    deleteCheckpoint: ({ number }) => {
      this.#checkpoints.delete(number)
      return done
    },
    enableCheckpoint: ({ number, enabled }) => {
      this.#checkpoints.enable(number, enabled)
      return done
    },
    loadState: ({ state }) => {
      if (isPast(state)) this.#take(TimeTravel.fromFile(state, this.#usedRoms))
      else {
        const image = decodeState(state, this.#usedRoms)
        const { standard, ciaModel } = image.chips
        this.#replace(standard, ciaModel, image)
      }
      this.#restartMeasure()
      this.#stop = null
      if (this.#machine.jam !== null) this.#setExecution('jammed')
      else if (this.#execution === 'jammed') this.#setExecution('running')
      this.#standingChanged()
      this.#run()
      this.#tell()
      return done
    },
  }

  get #machine(): C64 {
    if (!this.#c64) throw new AppError('LOST', 'The built-in C64 has not been started.')
    return this.#c64
  }

  get #time(): TimeTravel {
    if (!this.#timeTravel) throw new AppError('LOST', 'The built-in C64 has not been started.')
    return this.#timeTravel
  }

  get #usedRoms(): Roms {
    if (!this.#roms) throw new AppError('LOST', 'The built-in C64 has not been started.')
    return this.#roms
  }

  async #start(input: StartInput): Promise<{ notices: string[] }> {
    const { resources, roms: paths, standard, ciaModel, statePath, autorun, checkpoints } = input
    const { roms, notices } = await loadRoms(resources, paths)
    if (checkpoints) this.#checkpoints.restore(checkpoints)
    this.#roms = roms
    this.#stateFile = new StateFile(statePath, roms, (notice) => this.#notify('notice', notice))
    const kept = await this.#stateFile.load(notices)
    const c64 = this.#replace(standard, ciaModel, kept)
    if (kept === undefined) {
      if (autorun !== null) await this.#autorun(autorun, notices)
      else if (!bootToPrompt(c64)) notices.push('The ROMs show no prompt: programs cannot be started.')
    }
    this.#time.ran()
    this.#restartMeasure()
    this.#everySecond = setInterval(() => {
      this.#measure()
      if (this.#execution === 'running') this.#keepState()
    }, SECOND)
    this.#run()
    this.#tell()
    this.#sample()
    return { notices }
  }

  async #autorun(path: string, notices: string[]): Promise<void> {
    try {
      this.#time.input({ kind: 'program', file: new Uint8Array(await readFile(path)) })
    } catch (error) {
      notices.push(`${basename(path)} was not started: ${describeFileError(error)}`)
    }
  }

  /** A new machine on the same ROMs, in place of the present one; its past begins with it. */
  #replace(standard: VideoStandard, ciaModel: CiaModel, image: MachineImage | undefined): C64 {
    const c64 = new C64(this.#usedRoms, standard, ciaModel)
    if (image) c64.restore(image)
    this.#take({ c64, time: new TimeTravel(c64, this.#usedRoms) })
    return c64
  }

  #take({ c64, time }: { readonly c64: C64; readonly time: TimeTravel }): void {
    this.#c64 = c64
    this.#timeTravel = time
    this.#endSlowMotion()
    this.#dropFollow()
  }

  #resume(): void {
    if (this.#execution === 'jammed') throw jammed(this.#machine)
    if (this.#execution === 'running' && !this.#slow) return
    this.#endSlowMotion()
    this.#restartMeasure()
    this.#setExecution('running')
    this.#run()
  }

  /** Runs with it; in the place of another one. */
  #setFollow(follow: Follow): void {
    this.#resume()
    this.#follow = follow
  }

  #endSlowMotion(): void {
    this.#slow = undefined
    this.#pacer = undefined
  }

  #dropFollow(): void {
    const follow = this.#follow
    this.#follow = undefined
    follow?.onDropped?.()
  }

  #trace(count: number, frames: number | null): Trace {
    const machine = this.#machine
    if (machine.jam !== null) throw jammed(machine)
    if (this.#follow) throw alreadyFollowed()
    const period = cyclesPerFrame(machine.standard)
    const tracer = new Tracer(machine, count, frames === null ? Infinity : Math.round(frames * period))
    this.#halt()
    const { hit } = this.#runUntil(tracer)
    this.#stand(hit && this.#stopAt(hit))
    const stoppedBy = hit ? 'checkpoint' : machine.cpu.jammedAt === null ? null : 'jam'
    return { ...tracer.result, cyclesPerFrame: period, stoppedBy }
  }

  /** To the end of the follower, a checkpoint or a jam. */
  #runUntil(follower: InstructionFollower): FollowedRun {
    const { cpu } = this.#machine
    let run: FollowedRun
    do run = this.#machine.runFollowed(this.#checkpoints, follower)
    while (!run.isDone && !run.hit && cpu.jammedAt === null)
    this.#time.ran()
    return run
  }

  #stopAt(hit: CheckpointHit): WorkerStatus['stop'] {
    return { ...hit, time: Date.now(), pc: this.#machine.cpu.pc }
  }

  /** A machine that stood stands again afterwards. */
  async #profile(frames: number, signal: AbortSignal): Promise<Profile> {
    if (this.#follow) throw alreadyFollowed()
    const machine = this.#machine
    const period = cyclesPerFrame(machine.standard)
    const profiler = new Profiler(machine, frames * period)
    const stood = this.#execution !== 'running'
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.#follow = undefined
        if (stood && this.#execution === 'running') this.#setExecution('paused')
        reject(new AppError('CANCELLED', 'The profile was cancelled.'))
      }
      const end = (): void => {
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      const onDone = (): void => {
        end()
        if (stood) this.#setExecution('paused')
      }
      this.#setFollow({ follower: profiler, onDone, onDropped: end })
      signal.addEventListener('abort', cancel)
    })
    return { ...profiler.result, cyclesPerFrame: period }
  }

  /** @throws AppError as `go` does; the machine then goes on as before */
  #travel(go: (time: TimeTravel) => WorkerStatus['stop']): typeof done {
    this.#halt()
    try {
      const stop = go(this.#time)
      this.#restartMeasure()
      this.#stand(stop)
    } catch (error) {
      this.#run()
      throw error
    }
    return done
  }

  /** The machine has come to another instruction without running on. */
  #stand(stop: WorkerStatus['stop'] = null): void {
    this.#setExecution(this.#machine.jam === null ? 'paused' : 'jammed', stop)
  }

  #setExecution(execution: WorkerStatus['execution'], stop: WorkerStatus['stop'] = null): void {
    this.#execution = execution
    this.#stop = stop
    if (execution !== 'running') {
      this.#halt()
      this.#endSlowMotion()
      this.#dropFollow()
      this.#sample()
    }
    this.#tell()
  }

  /** A machine that stands still sends no frames by itself, so that a change from outside would not be seen. */
  #standingChanged(): void {
    if (this.#execution !== 'running') this.#sample()
  }

  /** It stands, but no longer where the checkpoint stopped it. */
  #forgetStop(): void {
    if (this.#stop === null) return
    this.#stop = null
    this.#tell()
  }

  #halt(): void {
    this.#cancelTurn()
    this.#pacer = undefined
  }

  /** Sets the next turn, unless the machine stands still. */
  #run(): void {
    this.#cancelTurn()
    if (this.#execution !== 'running') return
    const slow = this.#slow
    if (slow) {
      const turn = setTimeout(() => this.#slowTurn(slow), Math.max(SLOW_TURN, slow.pacer.delay(performance.now())))
      this.#cancelTurn = () => clearTimeout(turn)
      return
    }
    if (this.#warp) {
      const turn = setImmediate(() => this.#warpTurn())
      this.#cancelTurn = () => clearImmediate(turn)
      return
    }
    this.#pacer ??= new Pacer(framePeriod(this.#machine.standard), performance.now())
    const turn = setTimeout(() => this.#pacedTurn(), this.#pacer.delay(performance.now()))
    this.#cancelTurn = () => clearTimeout(turn)
  }

  #pacedTurn(): void {
    const pacer = this.#pacer
    const end = performance.now() + PACED_SLICE
    const frames = pacer?.due(performance.now()) ?? 0
    let run = 0
    while (run < frames && (run === 0 || performance.now() < end) && this.#runFrame()) {
      run++
      if (this.#request.mode !== 'off') this.#sample()
    }
    pacer?.defer(frames - run)
    if (frames > 0) this.#noteTurn()
    this.#run()
  }

  #slowTurn({ unit, pacer }: Slow): void {
    let due = pacer.due(performance.now())
    while (due > 0 && this.#runUnit(unit)) due--
    if (this.#request.mode !== 'off') this.#sample()
    this.#noteTurn()
    this.#run()
  }

  /** False when the machine came to a stop. */
  #runUnit(unit: SlowMotion['unit']): boolean {
    return !this.#isStopped(this.#runUntil(unit === 'line' ? runTarget('line', this.#machine) : oneInstruction).hit)
  }

  #warpTurn(): void {
    const end = performance.now() + WARP_SLICE
    while (performance.now() < end && this.#runFrame());
    this.#noteTurn()
    if (this.#request.mode !== 'off' && performance.now() - this.#lastSample >= WARP_SAMPLE) this.#sample()
    this.#run()
  }

  /** False when the machine came to a stop. */
  #runFrame(): boolean {
    const { hit, isDone } = this.#follow
      ? this.#machine.runFollowed(this.#checkpoints, this.#follow.follower)
      : { hit: this.#machine.runFrame(this.#checkpoints), isDone: false }
    this.#time.ran()
    if (this.#isStopped(hit)) return false
    if (isDone) {
      const follow = this.#follow
      this.#follow = undefined
      follow?.onDone()
    }
    return this.#execution === 'running'
  }

  /** Whether a checkpoint or a jam ended the run. */
  #isStopped(hit: CheckpointHit | undefined): boolean {
    if (hit) this.#setExecution('paused', this.#stopAt(hit))
    else if (this.#machine.jam === null) return false
    else {
      // The VIC-II goes on: the picture becomes whole.
      this.#machine.runFrame()
      this.#time.ran()
      this.#setExecution('jammed')
    }
    return true
  }

  #noteTurn(): void {
    this.#meter.note(performance.now(), this.#machine.clock)
  }

  /** After the clock stood still or jumped. */
  #restartMeasure(): void {
    this.#meter.restart(performance.now(), this.#machine.clock)
  }

  #measure(): void {
    this.#speed = this.#meter.measure(timings[this.#machine.standard].clockRate)
    this.#tell()
  }

  #tell(): void {
    const { standard, jam } = this.#machine
    const status: WorkerStatus = {
      execution: this.#execution,
      stop: this.#stop,
      reason: jam,
      hint: jam === null ? null : 'Reset the machine.',
      standard,
      speed: this.#execution === 'running' ? this.#speed : null,
      warp: this.#warp,
      slow: this.#slow ? { unit: this.#slow.unit, perSecond: this.#slow.perSecond } : null,
      logged: this.#log.count,
      past: { ...this.#time.span, clockRate: timings[standard].clockRate },
    }
    this.#notify('status', status)
  }

  #tellCheckpoints(): void {
    this.#notify('checkpoints', this.#checkpoints.kept)
  }

  #keepState(): void {
    this.#stateFile?.save(() => this.#machine.save())
  }

  #sample(): void {
    const { spaces, picture } = this.#request
    if (spaces.length === 0 && !picture) return
    this.#lastSample = performance.now()
    const sample: WorkerSample = {
      time: performance.timeOrigin + this.#lastSample,
      segments: spaces.map((space) => segmentOf(this.#machine, space)),
      registers: readRegisters(this.#machine),
      ...(picture ? { picture: this.#machine.picture() } : {}),
      ...(spaces.includes('cpu') ? { accesses: this.#accesses() } : {}),
    }
    this.#notify('sample', sample, buffersOf(sample))
  }

  /** Since the last time. */
  #accesses(): Accesses {
    const since = Math.min(this.#accessesFrom, this.#machine.clock)
    this.#accessesFrom = this.#machine.clock
    return accessesSince(this.#machine, since)
  }
}

/** A sample is made afresh each time, so that its buffers can be moved to the driver. */
function buffersOf({ segments, picture, accesses }: WorkerSample): ArrayBuffer[] {
  const bitmaps: readonly Uint8Array[] = Object.values(accesses ?? {})
  const views = [...segments.map(({ bytes }) => bytes), ...(picture ? [picture.pixels] : []), ...bitmaps]
  return views.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
}

const alreadyFollowed = (): AppError =>
  new AppError('BUSY', 'The built-in C64 is profiled, or runs to somewhere.', {
    hint: 'Wait until it is there, or pause it.',
  })

const jammed = (c64: C64): AppError =>
  new AppError('CONFLICT', c64.jam ?? 'The CPU stopped.', { hint: 'Reset the machine.' })
