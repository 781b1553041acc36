import type { PresetName } from '@shared/agentPresets'
import { LogFile } from './logFile'
import { LogSteps } from './logSteps'
import { PrintTimes } from './printTimes'

const MAX_OPEN_LOGS = 16

export class OpenLog {
  readonly file: LogFile
  readonly times: PrintTimes
  #steps: LogSteps | undefined

  constructor(path: string) {
    this.file = new LogFile(path)
    this.times = new PrintTimes(path)
  }

  steps(preset: PresetName): LogSteps {
    return (this.#steps ??= new LogSteps(this.file.path, preset))
  }

  async close(): Promise<void> {
    await Promise.all([this.file.close(), this.times.close(), this.#steps?.close()])
  }
}

export class OpenLogs {
  readonly #logs = new Map<string, OpenLog>()

  get(path: string): OpenLog {
    const log = this.#logs.get(path) ?? new OpenLog(path)
    this.#logs.delete(path)
    this.#logs.set(path, log)
    for (const [oldest, other] of [...this.#logs].slice(0, Math.max(0, this.#logs.size - MAX_OPEN_LOGS))) {
      this.#logs.delete(oldest)
      void other.close()
    }
    return log
  }

  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()))
  }
}
