/** The built bridge in a process of its own, over the line that main uses: killed, stopped and called as it is in the window. */
import { createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  commandTable,
  eventTable,
  isEventName,
  type EventName,
  type Input,
  type Output,
  type OwnedBy,
  type Payload,
} from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { Plane } from '@shared/contract/ports'
import { allocatorEnvironment } from '../../src-main/bridge/processMemory'
import { fromBridgeSchema } from '../../src-main/bridge/messages'
import { forkBridge, type ForkedBridge } from '../../src-main/electron/forkedBridge'
import { Caller } from '../../src-main/rpc/caller'
import type { Line } from '../../src-main/rpc/transport'

/** Of a bridge that never answers; any answer takes far less. */
const CALL_DEADLINE_MS = 50_000

/** What stays from one bridge to the next: its data folder, and a home in which `.c64bridge` lies. */
export interface BridgePlace {
  readonly folder: string
}

export const dataFolderOf = ({ folder }: BridgePlace): string => join(folder, 'data')
export const taskHomeOf = ({ folder }: BridgePlace): string => join(folder, 'home', '.c64bridge')

export class RealBridge {
  readonly #fork: ForkedBridge
  readonly #calls: Caller
  readonly ended: Promise<string>
  /** How it ended; undefined while it runs. */
  how: string | undefined
  /** Events that do not fit the contract, in a line each. */
  readonly misfits: string[] = []
  readonly events: { readonly event: EventName; readonly payload: unknown }[] = []

  private constructor({ folder }: BridgePlace, environment: NodeJS.ProcessEnv) {
    const output = createWriteStream(join(folder, 'bridge-output.txt'), { flags: 'a' })
    this.#fork = forkBridge({
      node: process.execPath,
      script: resolve('out/main/bridge.cjs'),
      environment: {
        PATH: process.env.PATH,
        ...allocatorEnvironment,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        HOME: join(folder, 'home'),
        BRIDGEDECK_DATA: dataFolderOf({ folder }),
        ...environment,
      },
      output: (stream) => stream.pipe(output, { end: false }),
    })
    this.#calls = new Caller((message) => this.#fork.post(message))
    this.ended = new Promise((done) =>
      this.#fork.onEnd((how) => {
        this.how = how
        this.#calls.rejectAll(new AppError('BRIDGE_DOWN', `The bridge ${how}.`))
        done(how)
      }),
    )
  }

  /** Resolves once it is ready. */
  static async start(place: BridgePlace, environment: NodeJS.ProcessEnv = {}): Promise<RealBridge> {
    const bridge = new RealBridge(place, environment)
    await new Promise<void>((ready, fail) => {
      bridge.#fork.onMessage((raw) => {
        const message = fromBridgeSchema.parse(raw)
        if (message.kind === 'ready') ready()
        else if (message.kind === 'failed') fail(new Error(message.error.message))
        else if (message.kind === 'reply') bridge.#calls.settle(message)
        else if (message.kind === 'event') bridge.#take(message.event, message.payload)
      })
      void bridge.ended.then((how) => fail(new Error(`The bridge ${how} before it was ready.`)))
    })
    return bridge
  }

  get pid(): number {
    const { pid } = this.#fork
    if (pid === undefined) throw new Error('The bridge was not started.')
    return pid
  }

  /** Rejects with the bridge's AppError, or a ZodError where its answer does not fit the contract. */
  async call<Name extends OwnedBy<'bridge'>>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const { output } = commandTable[name]
    return output.parse(await this.#calls.call(name, input, { deadlineMs: CALL_DEADLINE_MS }))
  }

  /** A port as a page has one. */
  openLine(plane: Plane): Line {
    return this.#fork.openLine(plane)
  }

  /** The payloads of an event so far. */
  of<Name extends EventName>(name: Name): Payload<Name>[] {
    return this.events.flatMap(({ event, payload }) => (event === name ? [eventTable[name].parse(payload)] : []))
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    process.kill(this.pid, signal)
    await this.ended
  }

  /** As main ends it. */
  async stop(): Promise<void> {
    if (this.how !== undefined) return
    this.#fork.post({ kind: 'shutdown' })
    await this.ended
  }

  #take(event: string, payload: unknown): void {
    if (!isEventName(event)) {
      this.misfits.push(`There is no event ${event}.`)
      return
    }
    const parsed = eventTable[event].safeParse(payload)
    if (parsed.success) this.events.push({ event, payload })
    else this.misfits.push(`${event}: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
  }
}
