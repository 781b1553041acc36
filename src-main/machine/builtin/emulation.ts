import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { textToPetscii } from '@shared/c64/petscii'
import { AppError } from '@shared/contract/errors'
import type { SlowMotion } from '@shared/contract/machine'
import { coverageOf } from './accesses'
import { bootToPrompt } from './autostart'
import { CheckpointLog } from '../checkpointLog'
import { Checkpoints, type CheckpointHit } from './checkpoints'
import { timings, type C64 } from './c64'
import { CurrentMachine } from './currentMachine'
import { FollowedRuns } from './followedRuns'
import type { Notify, RequestHandlers } from '../../rpc/protocol'
import type { BuiltinChannel, StartInput, WorkerStatus } from './messages'
import { isPast } from './past/pastFile'
import { ProgramStart } from './programStart'
import { Replays } from './past/replays'
import type { TimeTravel } from './past/timeTravel'
import { readRegisters } from './registers'
import { describeFileError, loadRoms } from './roms'
import { Sampling } from './sampling'
import { readSpace } from './spaces'
import { MAX_TYPING, decodeState, encodeState } from './state'
import { StateFile } from './stateFile'
import { Turns } from './turns'

/** ms */
const SECOND = 1_000

const done = {}

export class Emulation {
  readonly #notify: Notify<BuiltinChannel>
  readonly #current = new CurrentMachine(() => {
    this.#turns.endSlowMotion()
    this.#followed.drop()
  })
  #stateFile: StateFile | undefined
  readonly #log = new CheckpointLog()
  readonly #checkpoints = new Checkpoints(
    (logged) => this.#log.add({ ...logged, clock: this.#machine.clock }),
    () => this.#notifyCheckpoints(),
  )
  #execution: WorkerStatus['execution'] = 'running'
  #stop: WorkerStatus['stop'] = null
  #speed: number | null = null
  readonly #replays = new Replays(() => this.#notifyStatus())
  readonly #sampling: Sampling
  readonly #turns: Turns
  readonly #followed = new FollowedRuns({
    c64: () => this.#machine,
    checkpoints: this.#checkpoints,
    isRunning: () => this.#execution === 'running',
    resume: () => this.#resume(),
    pause: () => this.#setExecution('paused'),
    ran: () => this.#time.ran(),
    stand: (hit) => this.#stand(hit && this.#stopAt(hit)),
  })
  #everySecond: NodeJS.Timeout | undefined

  constructor(notify: Notify<BuiltinChannel>) {
    this.#notify = notify
    this.#sampling = new Sampling(notify)
    const machine = {
      c64: () => this.#machine,
      isRunning: () => this.#execution === 'running',
      runFrame: () => this.#runFrame(),
      runUnit: (unit: SlowMotion['unit']) => !this.#isStopped(this.#followed.runUnit(unit)),
    }
    this.#turns = new Turns(machine, this.#sampling)
  }

  readonly handlers: RequestHandlers<BuiltinChannel> = {
    start: (input) => this.#start(input),
    stop: async () => {
      this.#turns.halt()
      clearInterval(this.#everySecond)
      this.#keepState()
      this.#notifyCheckpoints()
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
      if (this.#machine.jam !== null) throw jammed(this.#machine)
      this.#turns.halt()
      this.#followed.step(count, over)
      return done
    },
    runTo: ({ to }) => {
      this.#followed.runTo(to)
      return done
    },
    slowly: (slow) => {
      this.#followed.requireNone()
      this.#resume()
      this.#turns.slowDown(slow)
      this.#turns.next()
      this.#notifyStatus()
      return done
    },
    trace: ({ count, frames }) => {
      if (this.#machine.jam !== null) throw jammed(this.#machine)
      this.#followed.requireNone()
      this.#turns.halt()
      return this.#followed.trace(count, frames)
    },
    profile: ({ frames }, signal) => this.#followed.profile(frames, signal),
    rasterFrame: (_nothing, signal) => this.#followed.rasterFrame(signal),
    interrupts: ({ frames }, signal) => this.#followed.interrupts(frames, signal),
    videoFrame: (_, signal) => this.#followed.videoFrame(signal),
    coverage: ({ seconds }) => coverageOf(this.#machine, seconds),
    goTo: ({ beforeEnd }) => this.#travel((time) => time.goTo(time.span.end - beforeEnd)),
    back: ({ unit, count }) => this.#travel((time) => time.back(unit, count)),
    toCheckpoint: () => this.#travelTo((time) => time.toCheckpoint(this.#checkpoints)),
    toWrite: ({ address }) => this.#travel((time) => time.toWrite(address)),
    toLeftFuture: () => this.#travel((time) => time.toLeftFuture()),
    byteHistory: ({ address }) => this.#time.historyOf(address),
    pastPoint: () => this.#time.point,
    returnTo: (point) => this.#travel((time) => time.returnTo(point)),
    pastInputs: () => this.#time.inputs,
    reset: ({ kind }) => {
      this.#time.input({ kind: 'reset', reset: kind })
      // A paused machine stays paused, at the first instruction after the reset.
      if (this.#execution === 'jammed') this.#setExecution('running')
      this.#forgetStop()
      this.#standingChanged()
      this.#turns.next()
      return done
    },
    setWarp: ({ warp }) => {
      this.#turns.setWarp(warp)
      this.#turns.next()
      this.#notifyStatus()
      return done
    },
    setStandard: ({ standard }) => {
      const image = this.#machine.save()
      if (image.chips.standard !== standard) this.#current.replaceBy(standard, this.#machine.models, image)
      this.#turns.restartMeasure()
      this.#standingChanged()
      this.#notifyStatus()
      return done
    },
    setSampling: (request) => {
      this.#sampling.request(request, this.#machine.clock)
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
    runProgram: async ({ bytes }, signal) => {
      this.#time.input({ kind: 'program', file: bytes })
      this.#turns.endSlowMotion()
      this.#turns.restartMeasure()
      this.#setExecution('running')
      const started = this.#followed.programStart(new ProgramStart(this.#machine, bytes), signal)
      this.#turns.next()
      return { started: await started }
    },
    typeText: ({ text }) => {
      const keys = textToPetscii(text)
      if (this.#machine.input.typing.length + keys.length > MAX_TYPING) {
        throw new AppError('BUSY', 'The C64 has not yet taken the text that was typed before.', {
          hint: 'Wait until it has, or reset it.',
        })
      }
      this.#time.input({ kind: 'text', keys: [...keys] })
      return done
    },
    setKeys: ({ keys }) => {
      if (this.#machine.input.holdsKeys(keys)) return done
      this.#time.input({ kind: 'keys', keys })
      return done
    },
    setJoystick: ({ port, inputs }) => {
      if (this.#machine.input.holdsJoystick(port, inputs)) return done
      this.#time.input({ kind: 'joystick', port, inputs })
      return done
    },
    picture: () => this.#machine.picture(),
    saveState: ({ past }) =>
      past === 0 ? encodeState(this.#machine.save(), this.#current.roms) : this.#time.toFile(past),
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
    loadState: async ({ state }, signal) => {
      const { roms, history } = this.#current
      if (isPast(state)) this.#current.take(await this.#replays.run(state, roms, signal, history))
      else {
        const image = decodeState(state, roms)
        this.#current.replaceBy(image.chips.standard, image.chips, image)
      }
      this.#turns.restartMeasure()
      this.#stop = null
      if (this.#machine.jam !== null) this.#setExecution('jammed')
      else if (this.#execution === 'jammed') this.#setExecution('running')
      this.#standingChanged()
      this.#turns.next()
      this.#notifyStatus()
      return done
    },
  }

  get #machine(): C64 {
    return this.#current.c64
  }

  get #time(): TimeTravel {
    return this.#current.time
  }

  async #start(input: StartInput): Promise<{ notices: string[]; hasBasic: boolean }> {
    const { resources, roms: paths, standard, models, history, statePath, autorun, checkpoints } = input
    const { roms, notices, hasBasic } = await loadRoms(resources, paths)
    if (checkpoints) this.#checkpoints.restore(checkpoints)
    this.#current.useRoms(roms)
    this.#current.useHistory(history)
    this.#stateFile = new StateFile(statePath, roms, (notice) => this.#notify('notice', notice))
    const kept = await this.#stateFile.load(notices)
    const c64 = this.#current.replaceBy(standard, models, kept)
    if (kept === undefined) {
      if (autorun !== null) await this.#autorun(autorun, notices)
      else if (!bootToPrompt(c64)) notices.push('The ROMs show no prompt: programs cannot be started.')
    }
    this.#time.ran()
    this.#turns.restartMeasure()
    this.#everySecond = setInterval(() => {
      this.#measure()
      if (this.#execution === 'running') this.#keepState()
    }, SECOND)
    this.#turns.next()
    this.#notifyStatus()
    this.#sample()
    return { notices, hasBasic }
  }

  async #autorun(path: string, notices: string[]): Promise<void> {
    try {
      this.#time.input({ kind: 'program', file: new Uint8Array(await readFile(path)) })
    } catch (error) {
      notices.push(`${basename(path)} was not started: ${describeFileError(error)}`)
    }
  }

  #resume(): void {
    if (this.#execution === 'jammed') throw jammed(this.#machine)
    if (this.#execution === 'running' && !this.#turns.slow) return
    this.#turns.endSlowMotion()
    this.#turns.restartMeasure()
    this.#setExecution('running')
    this.#turns.next()
  }

  #travel(go: (time: TimeTravel) => void): typeof done {
    return this.#travelTo((time) => {
      go(time)
      return null
    })
  }

  /** @throws AppError as `go` does; the machine then goes on as before */
  #travelTo(go: (time: TimeTravel) => WorkerStatus['stop']): typeof done {
    this.#turns.halt()
    try {
      const stop = go(this.#time)
      this.#turns.restartMeasure()
      this.#stand(stop)
    } catch (error) {
      this.#turns.next()
      throw error
    }
    return done
  }

  #stand(stop: WorkerStatus['stop'] = null): void {
    this.#setExecution(this.#machine.jam === null ? 'paused' : 'jammed', stop)
  }

  #setExecution(execution: WorkerStatus['execution'], stop: WorkerStatus['stop'] = null): void {
    this.#execution = execution
    this.#stop = stop
    if (execution !== 'running') {
      this.#turns.halt()
      this.#turns.endSlowMotion()
      this.#followed.drop()
      this.#sample()
    }
    this.#notifyStatus()
  }

  #sample(): void {
    this.#sampling.take(this.#machine)
  }

  /** A machine that stands still sends no frames, so a change from outside would not be seen. */
  #standingChanged(): void {
    if (this.#execution !== 'running') this.#sample()
  }

  #forgetStop(): void {
    if (this.#stop === null) return
    this.#stop = null
    this.#notifyStatus()
  }

  #runFrame(): boolean {
    const { hit, isDone } = this.#followed.runFrame()
    this.#time.ran()
    if (this.#isStopped(hit)) return false
    if (isDone) this.#followed.finish()
    return this.#execution === 'running'
  }

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

  #stopAt(hit: CheckpointHit): WorkerStatus['stop'] {
    return { ...hit, time: Date.now(), pc: this.#machine.cpu.pc, pins: this.#machine.space.pins }
  }

  #measure(): void {
    this.#speed = this.#turns.measure()
    this.#notifyStatus()
  }

  #notifyStatus(): void {
    const { standard, jam } = this.#machine
    const status: WorkerStatus = {
      execution: this.#execution,
      stop: this.#stop,
      reason: jam,
      hint: jam === null ? null : 'Reset the machine.',
      standard,
      speed: this.#execution === 'running' ? this.#speed : null,
      warp: this.#turns.warp,
      slow: this.#turns.slow,
      logged: this.#log.count,
      past: { ...this.#time.span, clockRate: timings[standard].clockRate },
      replaying: this.#replays.share,
    }
    this.#notify('status', status)
  }

  #notifyCheckpoints(): void {
    this.#notify('checkpoints', this.#checkpoints.kept)
  }

  #keepState(): void {
    this.#stateFile?.save(() => this.#machine.save())
  }
}

const jammed = (c64: C64): AppError =>
  new AppError('CONFLICT', c64.jam ?? 'The CPU stopped.', { hint: 'Reset the machine.' })
