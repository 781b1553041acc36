import { join } from 'node:path'
import type { RepairNotice } from '@shared/contract/bridge'
import { dataFolder } from '../files/dataFolder'
import { requireKnownData } from '../files/dataVersion'
import type { SessionSource } from './command'
import type { PasswordSource } from './passwords'
import { Session, type BridgeToStart } from './session'

export class Sessions implements SessionSource {
  readonly #programs: string
  readonly #passwords: PasswordSource
  readonly #environment: NodeJS.ProcessEnv
  #session: Promise<Session | undefined> = Promise.resolve(undefined)

  constructor(programs: string, passwords: PasswordSource, environment: NodeJS.ProcessEnv) {
    this.#programs = programs
    this.#passwords = passwords
    this.#environment = environment
  }

  find(): Promise<Session | undefined> {
    this.#session = this.#session.then(
      (session) => session ?? Session.find(dataFolder(this.#environment), this.#passwords),
    )
    return this.#session
  }

  open(taskFolder?: string, toStart: BridgeToStart = 'own'): Promise<Session> {
    const opened = this.#session
      .catch(() => undefined)
      .then((session) => (session?.isOpen ? session : this.#open(taskFolder, toStart)))
    this.#session = opened
    return opened
  }

  async repairNotice(): Promise<RepairNotice | undefined> {
    const session = await this.#session.catch(() => undefined)
    return session?.repairNotice()
  }

  async close(): Promise<void> {
    const session = await this.#session.catch(() => undefined)
    await session?.close()
  }

  async #open(taskFolder: string | undefined, toStart: BridgeToStart): Promise<Session> {
    const folder = dataFolder(this.#environment)
    requireKnownData(folder)
    return Session.open(
      {
        dataFolder: folder,
        program: join(this.#programs, 'bridge.cjs'),
        resources: join(this.#programs, '../resources/c64'),
        workerPath: join(this.#programs, 'builtinWorker.cjs'),
        recorderPath: join(this.#programs, 'recorderWorker.cjs'),
        lifetime: 'call',
        ...(taskFolder === undefined ? {} : { taskFolder }),
        log: (message, error) => {
          if (this.#environment.BRIDGEDECK_DEBUG) console.error(message, error ?? '')
        },
      },
      this.#passwords,
      toStart,
    )
  }
}
