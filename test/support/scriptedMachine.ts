import { AppError } from '@shared/contract/errors'
import { Listeners } from '../../src-main/machine/listeners'
import type { Machine, MachineStatus, Sample, SampleRequest } from '../../src-main/machine/machine'

/** A machine whose connection is decided by the test. */
export class ScriptedMachine implements Machine {
  readonly name: string
  readonly kind = 'vice'
  readonly unsupported = {}
  samplesOnRequestOnly = false
  afterLoss: NonNullable<Machine['afterLoss']> = 'unknown'
  status: MachineStatus = {
    title: 'VICE',
    connection: 'idle',
    reason: null,
    hint: null,
    execution: 'unknown',
    standard: null,
    speed: null,
    warp: false,
    version: null,
    notices: [],
  }
  constructor(name = 'vice:6502') {
    this.name = name
  }

  readonly requests: SampleRequest[] = []
  attempts = 0
  /** What each attempt was given. */
  readonly passwords: (string | undefined)[] = []
  refuse = false
  /** What it is refused with. */
  refusal = new AppError('UNREACHABLE', 'Nobody answers.')
  /** Missing unless the test brings one, as for a machine that slept too. */
  wake?: (signal: AbortSignal) => Promise<void>
  /** Connecting takes until this is settled. */
  wait: Promise<void> | undefined
  readonly #status = new Listeners()
  readonly #sample = new Listeners<Sample>()
  readonly onStatus = this.#status.add
  readonly onSample = this.#sample.add

  async connect(signal: AbortSignal, password?: string) {
    this.attempts++
    this.passwords.push(password)
    this.become('connecting')
    if (this.wait) await this.wait
    if (signal.aborted || this.refuse) {
      this.become('lost')
      throw signal.aborted ? new AppError('CANCELLED', 'Given up.') : this.refusal
    }
    this.become('live')
  }
  async disconnect() {
    this.become('idle')
  }
  async setSampling(request: SampleRequest) {
    this.requests.push(request)
    await Promise.resolve()
  }
  readMemory = () => Promise.resolve(new Uint8Array())
  writeMemory = () => Promise.resolve()

  become(connection: MachineStatus['connection']) {
    this.status = { ...this.status, connection }
    this.#status.notify()
  }
  sample(cost?: number) {
    this.#sample.notify({ time: 1, segments: [], ...(cost === undefined ? {} : { cost }) })
  }
}
